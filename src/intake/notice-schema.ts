import { z } from 'zod'
import { NOTICE_STATES } from '../contract/silence/notice.js'
import { conversation, id, someContent } from './schema.js'

/** What a recorded message may be. Only a completion may be answered with silence. */
export const NOTICE_KINDS = ['completion', 'message', 'task'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

const origin = z.strictObject({
  kind: z.enum(NOTICE_KINDS).optional().describe('completion when left out.'),
  source: id.optional().describe('Who sent the work that is done.'),
})

/** A completion notice as the host that vouches for it records it. Unknown fields are refused with their path. */
export const RecordedNotice = z
  .strictObject({
    noticeId: id,
    conversation,
    content: someContent.describe('What the agent was told. Never shown by us.'),
    origin: origin.optional(),
    replyTo: id.optional().describe('The work that the notice says is done.'),
    state: z.enum(NOTICE_STATES).optional().describe('queued when left out; posting again changes it.'),
  })
  .superRefine((notice, context) => {
    if ((notice.origin?.kind ?? 'completion') === 'completion' && notice.replyTo === undefined) {
      context.addIssue({ code: 'custom', path: ['replyTo'], message: 'the work that the notice is about' })
    }
  })
