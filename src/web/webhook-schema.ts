import { z } from 'zod'
import { EVENT_KINDS, isEventKind } from '../receipts/event.js'

const kinds = z
  .array(z.string().refine(isEventKind, `one of ${Object.keys(EVENT_KINDS).join(', ')}`))
  .min(1)
  .max(Object.keys(EVENT_KINDS).length)

export const NewWebhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  kinds: kinds.optional().describe('Left out: every kind.'),
  installations: z
    .array(z.string().min(1).max(300))
    .min(1)
    .max(1_000)
    .optional()
    .describe('Left out: all that the key may see.'),
})

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  kinds: z.array(z.string()).nullable(),
  installationIds: z.array(z.string()).nullable(),
  mayBePrivate: z.boolean(),
  state: z.enum(['active', 'disabled']),
  stateCode: z.string().nullable(),
  failingSince: z.iso.datetime().nullable(),
  lastSuccessAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})

export const CreatedWebhook = Webhook.extend({
  secret: z.string().describe('Signs every event (Standard Webhooks). Shown once.'),
})

export const WebhookList = z.object({ webhooks: z.array(Webhook) })

export const WebhookTest = z.object({
  isAccepted: z.boolean(),
  code: z.string().describe('The HTTP status, or why there was none.'),
})
