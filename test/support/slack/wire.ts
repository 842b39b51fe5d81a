import type { IncomingMessage, Server } from 'node:http'
import type { Refusal } from './check-message.js'
import type { Reply } from './respond.js'
import type { JsonRecord, Token } from './world.js'

export function toReply(result: JsonRecord | Refusal, token?: Token): Reply {
  const headers = token ? { 'x-oauth-scopes': [...token.scopes].join(',') } : {}
  const isRefusal = typeof result.error === 'string'
  const text = JSON.stringify(
    isRefusal
      ? {
          ok: false,
          error: result.error,
          ...(result.detail === undefined
            ? {}
            : { response_metadata: { messages: [`[ERROR] ${result.detail}`] } }),
        }
      : { ok: true, ...result },
  )
  return { status: 200, text, headers }
}

export function missingScope(needed: readonly string[], token: Token): Reply {
  const provided = [...token.scopes].join(',')
  return {
    status: 200,
    text: JSON.stringify({ ok: false, error: 'missing_scope', needed: needed.join(','), provided }),
    headers: { 'x-oauth-scopes': provided, 'x-accepted-oauth-scopes': needed.join(',') },
  }
}

export function bearer(request: IncomingMessage): string | null {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null
}

export function readArgs(body: Buffer, request: IncomingMessage): Map<string, string> {
  const query = new URL(request.url ?? '/', 'http://fake').searchParams
  const isJson = request.headers['content-type']?.startsWith('application/json') === true
  const entries = isJson
    ? Object.entries(JSON.parse(body.toString('utf8') || '{}')).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
    : [...new URLSearchParams(body.toString('utf8'))]
  return new Map([...query, ...entries])
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
      else reject(new Error('the fake has no port'))
    })
  })
}
