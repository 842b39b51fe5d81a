import { z } from 'zod'
import type { Fault, Marker, SendResult, Target } from '../../deliver/platform.js'
import type { Part } from '../../render/part.js'
import type { SlackCall } from './call.js'
import type { SlackClients } from './client.js'
import { sendFile } from './files.js'
import { toRequest } from './request.js'

const Posted = z.object({
  ts: z.string().min(1),
  channel: z.string().optional(),
  message: z.object({ thread_ts: z.string().optional() }).optional(),
})

/** Sends one part: a message in one call, a file in three. */
export async function send(
  call: SlackCall,
  clients: SlackClients,
  target: Target,
  part: Part,
  marker: Marker,
): Promise<SendResult> {
  const result =
    part.kind === 'file'
      ? await sendFile(call, clients, target, part, marker)
      : await post(call, target, part, marker)
  return target.anchor === null ? withoutAnchor(result) : result
}

async function post(call: SlackCall, target: Target, part: Part, marker: Marker): Promise<SendResult> {
  const request = toRequest(target, part, marker)
  const answer = await call(target, request.method, request.payload)
  if (answer.kind !== 'answer') return answer
  const posted = Posted.safeParse(answer.body)
  // "ok" without an id proves nothing: neither that it stands there nor that it does not.
  if (!posted.success) return { kind: 'unknown', code: 'unreadable_answer' }
  const { ts, message } = posted.data
  return { kind: 'sent', messageId: ts, inPlace: isInPlace(target.anchor, ts, message?.thread_ts) }
}

/**
 * Whether a message hangs where it should. With a reply's ts as `thread_ts`, or a parent that is gone, Slack has
 * put answers into the channel instead (github.com/slackapi/python-slack-sdk/issues/1116).
 */
export function isInPlace(anchor: string | null, ts: string, threadTs: string | undefined): boolean {
  return anchor === null ? threadTs === undefined || threadTs === ts : threadTs === anchor
}

/** Where no thread was asked for, a refused thread is a refused conversation. */
function withoutAnchor(result: SendResult): SendResult {
  if (result.kind !== 'anchor_dead') return result
  return { kind: 'conversation_dead', code: result.code } satisfies Fault
}
