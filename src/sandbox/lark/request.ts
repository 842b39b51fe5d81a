import type { IncomingMessage } from 'node:http'
import type { LarkCall } from './call.js'
import { isObject, parseJson } from './json.js'

/** More than any API takes; protects the process, not the contract. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024

/** Reads one request whole. A body that is not a JSON object counts as empty: the handlers then miss their fields. */
export async function readCall(
  request: IncomingMessage,
  name: string,
  params: Readonly<Record<string, string>>,
): Promise<LarkCall> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const bytes = await readBody(request)
  const contentType = request.headers['content-type'] ?? ''
  const isForm = contentType.startsWith('multipart/form-data')
  const parsed = isForm ? undefined : parseJson(bytes.toString('utf8'))
  const authorization = request.headers.authorization ?? null
  return {
    name,
    httpMethod: request.method ?? 'GET',
    path: url.pathname,
    params,
    query: Object.fromEntries(url.searchParams),
    body: isObject(parsed) ? parsed : {},
    bodyBytes: bytes.length,
    token: authorization === null ? null : authorization.replace(/^Bearer /, ''),
    form: isForm ? await readForm(bytes, contentType) : null,
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_REQUEST_BYTES) throw new RangeError('request too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** The SDK sends buffers and streams without a file name, which the form parser would read as text. */
const UNNAMED_FILE = /(content-disposition: form-data; name="file")(?=\r\n)/i
const UNNAMED_FILE_FIX = '$1; filename="file"'

async function readForm(bytes: Buffer, contentType: string): Promise<FormData | null> {
  try {
    const named = Buffer.from(bytes.toString('latin1').replace(UNNAMED_FILE, UNNAMED_FILE_FIX), 'latin1')
    return await new Response(new Uint8Array(named), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return null
  }
}
