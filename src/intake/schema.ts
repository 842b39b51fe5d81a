import { z } from 'zod'
import { RUN_STATUSES } from '../contract/outcome.js'
import { type IdShape, PLACE_IDS } from '../contract/place-ids.js'
import { BUTTON_KINDS, TRIGGER_KINDS } from '../contract/run.js'
import { TRANSCRIPT_FORMATS } from '../contract/settle.js'

/** Longest values of a run's small fields, in UTF-16 code units. */
export const FIELD_LIMITS = {
  idChars: 200,
  codeChars: 200,
  errorChars: 65_536,
  diagnosticChars: 65_536,
  urlChars: 2_000,
  localeChars: 1_000,
  mentions: 50,
  blocks: 10_000,
  /** 30 days. */
  retryAfterMs: 2_592_000_000,
} as const

/** Ids are printable, without spaces: a control character or a lone half of a pair is a producer's bug. */
export const id = z
  .string()
  .min(1)
  .max(FIELD_LIMITS.idChars)
  .regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces')

const placeId = ({ pattern, expected }: IdShape) => z.string().regex(pattern, expected)
const kind = z.enum(['direct', 'channel']).optional().describe('Left out: the platform is asked.')

const { slack, lark } = PLACE_IDS

const slackConversation = z.strictObject({
  platform: z.literal('slack'),
  workspace: placeId(slack.workspace).optional().describe('May be left out while one installation exists.'),
  channel: placeId(slack.channel).optional(),
  user: placeId(slack.user).optional().describe('Instead of a channel: the direct conversation is opened.'),
  thread: placeId(slack.thread).optional().describe("The parent message's timestamp, never a reply's."),
  kind,
})

const larkConversation = z.strictObject({
  platform: z.literal('lark'),
  tenant: placeId(lark.tenant).optional().describe('May be left out while one installation exists.'),
  chat: placeId(lark.chat).optional(),
  openId: placeId(lark.person).optional().describe('Instead of a chat: the direct conversation is opened.'),
  replyTo: placeId(lark.message).optional(),
  thread: placeId(lark.topic).optional(),
  kind,
})

export const conversation = z
  .discriminatedUnion('platform', [slackConversation, larkConversation])
  .superRefine((value, context) => {
    const [place, person, names] =
      value.platform === 'slack'
        ? [value.channel, value.user, 'channel or user']
        : [value.chat, value.openId, 'chat or openId']
    if ((place === undefined) === (person === undefined)) {
      context.addIssue({ code: 'custom', message: `exactly one of ${names}` })
    }
  })

export type WireConversation = z.infer<typeof conversation>

const block = z.looseObject({ type: z.string().min(1).max(64), text: z.string().optional() })
export const someContent = z.union([z.string(), z.array(block).max(FIELD_LIMITS.blocks)])
const content = someContent.nullish()
const code = z.string().max(FIELD_LIMITS.codeChars).nullish()

const outcome = z.strictObject({
  status: z.enum(RUN_STATUSES),
  stopReason: code,
  output: content,
  partialOutput: content,
  errorCode: code,
  error: z.string().max(FIELD_LIMITS.errorChars).nullish().describe('Classified, never shown.'),
  diagnostic: z.string().max(FIELD_LIMITS.diagnosticChars).nullish().describe('Safe text; may be shown.'),
  abortedBy: z.enum(['requester', 'system']).nullish(),
  retryAfterMs: z
    .number()
    .int()
    .min(0)
    .max(FIELD_LIMITS.retryAfterMs)
    .nullish()
    .describe('How long after the end of the run the provider wants to be left alone.'),
})

const exit = z.strictObject({
  deadlineMs: z.number().int().min(0).optional().describe('The deadline that ended the process.'),
  cancelled: z.boolean().optional(),
  readError: z.string().max(FIELD_LIMITS.errorChars).optional(),
  writeError: z.string().max(FIELD_LIMITS.errorChars).optional(),
  exitError: z.string().max(FIELD_LIMITS.errorChars).optional(),
  exitCode: z.number().int().optional(),
  stderr: z.string().max(FIELD_LIMITS.errorChars).optional(),
  resume: id.optional(),
})

const transcript = z
  .strictObject({
    format: z.enum(TRANSCRIPT_FORMATS),
    text: z.string().optional(),
    events: z.array(z.unknown()).optional(),
    exit: exit.optional(),
  })
  .refine(
    (value) => (value.text === undefined) !== (value.events === undefined),
    'exactly one of text or events',
  )

/**
 * `CompletedRun` v1: the one door for outside data, and the source of `lastword schema`. Unknown fields are refused
 * with their path, so that a typo is not lost. Declarative only; `parseRun` turns it into our `Run`.
 */
export const CompletedRun = z
  .strictObject({
    runId: id,
    attempt: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Grows with each retry of the same run.'),
    conversation,
    trigger: z
      .strictObject({
        kind: z.enum(TRIGGER_KINDS).optional(),
        requester: id.optional(),
        via: id.max(64).optional().describe('The surface the input came from: slack, lark, web, ...'),
        noticeId: id.optional(),
      })
      .optional(),
    task: z.strictObject({ kind: z.enum(['chat', 'issue']) }).optional(),
    outcome: outcome.optional(),
    transcript: transcript.optional(),
    locale: z.string().max(FIELD_LIMITS.localeChars).nullish(),
    links: z
      .strictObject({
        run: z
          .url({ protocol: /^https?$/ })
          .max(FIELD_LIMITS.urlChars)
          .optional(),
      })
      .optional(),
    mentions: z.array(id).max(FIELD_LIMITS.mentions).optional().describe('Ids the text may ping.'),
    supersededBy: id.nullish(),
    retryPending: z.boolean().optional(),
    finishedAt: z.iso.datetime({ offset: true }).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
    acknowledgement: z
      .strictObject({
        message: id.optional(),
        reaction: z.strictObject({ message: id, name: id.max(100) }).optional(),
        status: z.boolean().optional(),
      })
      .optional()
      .describe('What the producer left in the conversation while the run worked; replaced or removed.'),
    buttons: z.array(z.enum(BUTTON_KINDS)).max(BUTTON_KINDS.length).optional(),
    traceparent: z
      .string()
      .max(FIELD_LIMITS.idChars)
      .optional()
      .describe('W3C trace context; ignored when malformed.'),
  })
  .refine(
    (run) => (run.outcome === undefined) !== (run.transcript === undefined),
    'exactly one of outcome or transcript',
  )

export type CompletedRun = z.infer<typeof CompletedRun>

/** The schema as JSON Schema (draft 2020-12), for producers in any language. */
export function completedRunJsonSchema(): Record<string, unknown> {
  return { title: 'CompletedRun', ...z.toJSONSchema(CompletedRun, { io: 'input' }) }
}
