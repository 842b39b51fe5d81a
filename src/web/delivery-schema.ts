import { z } from 'zod'
import { DELIVERY_STATES } from '../store/tables.js'

const moment = z.iso.datetime().describe('ISO 8601, UTC')

/** Rows of one page. */
export const PAGE_LIMIT = { default: 50, max: 500 } as const

export const limit = z.coerce.number().int().min(1).max(PAGE_LIMIT.max).default(PAGE_LIMIT.default)
const word = z.string().min(1).max(300)

export const DeliveryQuery = z.strictObject({
  state: z.enum(DELIVERY_STATES).optional(),
  reason: word.optional().describe('Why it was dropped, given up or is waiting: a code.'),
  run: word.optional().describe('Run id.'),
  installation: word.optional(),
  conversation: word.optional().describe('The conversation key, as a delivery shows it.'),
  since: z.iso.datetime({ offset: true }).optional().describe('Accepted at or after.'),
  before: z.coerce.number().int().min(1).optional().describe('`next` of the page before.'),
  limit,
})

/** One delivery as lists show it. Ids, codes and times; never text. */
export const Delivery = z.object({
  id: z.string(),
  seq: z.number().int(),
  runId: z.string(),
  attempt: z.number().int(),
  installationId: z.string(),
  conversationKey: z.string(),
  state: z.enum(DELIVERY_STATES),
  reason: z.string().nullable(),
  decision: z.string().nullable(),
  surface: z.string().nullable(),
  locale: z.string().nullable(),
  localeFrom: z.string().nullable(),
  partCount: z.number().int(),
  sentCount: z.number().int(),
  acceptedAt: moment,
  settledAt: moment.nullable(),
  expiresAt: moment,
})

export const DeliveryPage = z.object({
  deliveries: z.array(Delivery).describe('Newest first.'),
  next: z.number().int().nullable().describe('Pass as `before`; null on the last page.'),
})

export const DeliveryStory = Delivery.extend({
  parts: z.array(
    z.object({
      index: z.number().int(),
      rendering: z.number().int().describe('Grows when a refused part is rendered more simply.'),
      kind: z.string(),
      rung: z.string(),
      state: z.string(),
      attempt: z.number().int(),
      messageId: z.string().nullable(),
      permalink: z.string().nullable(),
      sentAt: moment.nullable(),
      edits: z.boolean().describe('It replaces an earlier message.'),
    }),
  ),
  attempts: z.array(
    z.object({
      partIndex: z.number().int(),
      number: z.number().int(),
      rendering: z.number().int(),
      method: z.string(),
      startedAt: moment,
      endedAt: moment,
      outcome: z.string(),
      code: z.string().nullable(),
      waitMs: z.number().nullable(),
      vendorLogId: z.string().nullable(),
    }),
  ),
})
