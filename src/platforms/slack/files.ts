import { z } from 'zod'
import type { Fault, Marker, SendResult, Target } from '../../deliver/platform.js'
import type { Part } from '../../render/part.js'
import type { SlackCall } from './call.js'
import { classify } from './classify.js'
import type { SlackClients } from './client.js'
import { markedFilename, toRequest } from './request.js'

type FilePart = Extract<Part, { kind: 'file' }>

const UploadUrl = z.object({ upload_url: z.url(), file_id: z.string().min(1) })

const Share = z.object({ ts: z.string().min(1), thread_ts: z.string().optional() })
const Shares = z.record(z.string(), z.array(Share))
const SharedFile = z.object({
  id: z.string().min(1),
  shares: z.object({ public: Shares.optional(), private: Shares.optional() }).optional(),
})
const Completed = z.object({ files: z.array(SharedFile).min(1) })
const Info = z.object({ file: SharedFile })

/**
 * Uploads a file and shares it: upload URL, bytes, completion (docs.slack.dev/messaging/working-with-files).
 * Only the completion can make a message, so a failure before it is never `unknown`. `messageId` is the
 * message's ts, or the file's id while Slack has not told the ts.
 */
export async function sendFile(
  call: SlackCall,
  clients: SlackClients,
  target: Target,
  part: FilePart,
  marker: Marker,
): Promise<SendResult> {
  const uploaded = await upload(call, clients, target, part, marker)
  if (typeof uploaded !== 'string') return nothingShared(uploaded)

  const { method, payload } = toRequest(target, part, marker)
  const answer = await call(target, method, { ...payload, files: [{ id: uploaded, title: part.title }] })
  if (answer.kind !== 'answer') return answer
  const completed = Completed.safeParse(answer.body)
  if (!completed.success) return { kind: 'unknown', code: 'unreadable_answer' }
  const share =
    completed.data.files.map((file) => shareIn(file, target)).find((found) => found !== null) ??
    (await askForShare(call, target, uploaded))
  if (share === null) return { kind: 'sent', messageId: uploaded, inPlace: true }
  return {
    kind: 'sent',
    messageId: share.ts,
    inPlace: target.anchor === null || share.thread_ts === target.anchor,
  }
}

async function upload(
  call: SlackCall,
  clients: SlackClients,
  target: Target,
  part: FilePart,
  marker: Marker,
): Promise<string | Fault> {
  const bytes = new TextEncoder().encode(part.markdown)
  const answer = await call(target, 'files.getUploadURLExternal', {
    filename: markedFilename(part.filename, marker),
    length: bytes.byteLength,
  })
  if (answer.kind !== 'answer') return answer
  const url = UploadUrl.safeParse(answer.body)
  if (!url.success) return { kind: 'not_sent', code: 'unreadable_answer' }
  try {
    const response = await clients.post(url.data.upload_url, bytes)
    await response.text()
    return response.ok ? url.data.file_id : { kind: 'not_sent', code: `upload_http_${response.status}` }
  } catch (error) {
    return classify(error, { method: 'files.upload', nowMs: 0 })
  }
}

/** An upload that was not completed shows nothing, however it ended. */
function nothingShared(fault: Fault): Fault {
  return fault.kind === 'unknown' ? { ...fault, kind: 'not_sent' } : fault
}

/** Shares are written after the completion is answered; asked once, because the ts is worth one call and no more. */
async function askForShare(
  call: SlackCall,
  target: Target,
  fileId: string,
): Promise<z.infer<typeof Share> | null> {
  const answer = await call(target, 'files.info', { file: fileId })
  if (answer.kind !== 'answer') return null
  const info = Info.safeParse(answer.body)
  return info.success ? shareIn(info.data.file, target) : null
}

function shareIn(file: z.infer<typeof SharedFile>, target: Target): z.infer<typeof Share> | null {
  const { public: open, private: closed } = file.shares ?? {}
  return [open, closed].flatMap((shares) => shares?.[target.conversationId] ?? [])[0] ?? null
}
