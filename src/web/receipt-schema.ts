import { z } from 'zod'
import { limit } from './delivery-schema.js'

export const ReceiptQuery = z.strictObject({
  after: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('`next` of the page before; left out: from the first.'),
  limit,
})

/** One event, as webhooks carry it too. */
export const Event = z.object({
  id: z.string().describe('The same in every retry and in the header `webhook-id`.'),
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()).describe('Ids, codes and times; never text of a run.'),
})

export const ReceiptPage = z.object({
  events: z.array(Event).describe('Oldest first. No later commit gets in front of one that was read.'),
  next: z.string().nullable().describe('Pass as `after`, now or later.'),
  hasMore: z.boolean(),
})
