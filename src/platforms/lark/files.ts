import type { Fault, InstallationRef } from '../../deliver/platform.js'
import type { Part } from '../../render/part.js'
import { beforeSending } from './classify.js'
import type { LarkCaller } from './client-call.js'
import { LARK_LIMITS } from './limits.js'
import type { WireMessage } from './wire.js'

/**
 * Uploads a file and gives the message that shows it. An upload shows nothing by itself, so a lost answer is
 * `not_sent`: the worst that is left is a file nobody sees.
 */
export async function uploadFile(
  caller: LarkCaller,
  installation: InstallationRef,
  part: Extract<Part, { kind: 'file' }>,
): Promise<{ readonly kind: 'uploaded'; readonly message: WireMessage } | Fault> {
  const bytes = Buffer.from(part.markdown, 'utf8')
  if (bytes.byteLength === 0) return { kind: 'content', final: false, code: 'empty_file' }
  if (bytes.byteLength > LARK_LIMITS.fileBytes.max)
    return { kind: 'content', final: false, code: 'file_too_large' }
  const called = await caller.call(installation, ({ im, as }) =>
    im.file.create({ data: { file_type: 'stream', file_name: part.filename, file: bytes } }, as),
  )
  if (called.kind !== 'ok') return beforeSending(called)
  const key = called.value?.file_key
  if (typeof key !== 'string' || key === '') return { kind: 'not_sent', code: 'no_file_key' }
  return { kind: 'uploaded', message: { msgType: 'file', content: JSON.stringify({ file_key: key }) } }
}
