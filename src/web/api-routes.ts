import { z } from 'zod'
import type { ErrorCode } from '../errors.js'
import { RecordedNotice } from '../intake/notice-schema.js'
import type { Right } from '../intake/producer.js'
import { CompletedRun } from '../intake/schema.js'
import { DeliveryPage, DeliveryQuery, DeliveryStory } from './delivery-schema.js'
import { ReceiptPage, ReceiptQuery } from './receipt-schema.js'
import { CreatedWebhook, NewWebhook, Webhook, WebhookList, WebhookTest } from './webhook-schema.js'

/** What a route answers when all is well: by status, with the schema of a JSON body. */
export type Answers = Readonly<
  Record<number, { readonly says: string; readonly body: z.ZodType | 'text' | null }>
>

/** One route of the API as its document describes it. A test compares this table with the routes that are served. */
export interface ApiRoute {
  readonly method: 'get' | 'post' | 'delete'
  /** With `{id}` where the address has one. */
  readonly path: string
  readonly name: string
  readonly summary: string
  /** The right a key needs; null: no key. */
  readonly right: Right | null
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly answers: Answers
  readonly errors: readonly ErrorCode[]
}

const BODY_ERRORS = ['invalid_json', 'unsupported_media_type', 'payload_too_large'] as const
const INSTALLATION_ERRORS = ['unknown_installation', 'ambiguous_installation'] as const

const Accepted = z.object({ deliveryId: z.string(), isNew: z.boolean() })
const Notice = z.looseObject({ noticeId: z.string(), state: z.string() })
const Status = z.object({ status: z.string() })
const Unready = z.object({ status: z.string(), reasons: z.array(z.string()) })

const RUNS: readonly ApiRoute[] = [
  {
    method: 'post',
    path: '/v1/runs',
    name: 'acceptRun',
    summary: 'Hand in a completed run. Also taken: a CloudEvent of the type lastword.run.completed.v1.',
    right: 'runs:write',
    body: CompletedRun,
    answers: {
      202: { says: 'Accepted and committed.', body: Accepted },
      200: { says: 'The same run stands already.', body: Accepted },
    },
    errors: ['invalid_run', 'run_conflict', 'overloaded', ...INSTALLATION_ERRORS, ...BODY_ERRORS],
  },
]

const NOTICES: readonly ApiRoute[] = [
  {
    method: 'post',
    path: '/v1/notices',
    name: 'recordNotice',
    summary: 'Record a completion notice that may be answered with silence.',
    right: 'notices:write',
    body: RecordedNotice,
    answers: {
      201: { says: 'Recorded.', body: Notice },
      200: { says: 'The same notice stands already.', body: Notice },
    },
    errors: [
      'invalid_notice',
      'notice_conflict',
      'notice_wrong_conversation',
      'notice_not_queued',
      ...INSTALLATION_ERRORS,
      ...BODY_ERRORS,
    ],
  },
  {
    method: 'get',
    path: '/v1/notices/{id}',
    name: 'readNotice',
    summary: 'Read a completion notice.',
    right: 'notices:write',
    answers: { 200: { says: 'The notice.', body: Notice } },
    errors: ['notice_not_found'],
  },
  {
    method: 'post',
    path: '/v1/notices/{id}/cancel',
    name: 'cancelNotice',
    summary: 'Withdraw a completion notice.',
    right: 'notices:write',
    answers: { 200: { says: 'The notice.', body: Notice } },
    errors: ['notice_not_found', 'notice_not_queued'],
  },
]

const DELIVERIES: readonly ApiRoute[] = [
  {
    method: 'get',
    path: '/v1/deliveries',
    name: 'listDeliveries',
    summary: 'What became of runs, newest first.',
    right: 'deliveries:read',
    query: DeliveryQuery,
    answers: { 200: { says: 'One page.', body: DeliveryPage } },
    errors: ['invalid_request'],
  },
  {
    method: 'get',
    path: '/v1/deliveries/{id}',
    name: 'readDelivery',
    summary: "One delivery's story: its parts and every call.",
    right: 'deliveries:read',
    answers: { 200: { says: 'The story.', body: DeliveryStory } },
    errors: ['not_found'],
  },
  {
    method: 'post',
    path: '/v1/deliveries/{id}/replay',
    name: 'replayDelivery',
    summary: 'Put a delivery that was given up back into its lane.',
    right: 'deliveries:write',
    answers: { 202: { says: 'It is on its way.', body: DeliveryStory } },
    errors: ['not_found', 'not_replayable'],
  },
  {
    method: 'post',
    path: '/v1/deliveries/{id}/cancel',
    name: 'cancelDelivery',
    summary: 'End an open delivery as dropped. What stands in the chat stays.',
    right: 'deliveries:write',
    answers: { 202: { says: 'It was dropped.', body: DeliveryStory } },
    errors: ['not_found', 'not_replayable'],
  },
]

const RECEIPTS: readonly ApiRoute[] = [
  {
    method: 'get',
    path: '/v1/receipts',
    name: 'listReceipts',
    summary: 'Events, oldest first, from a cursor on. The same ones that webhooks carry.',
    right: 'deliveries:read',
    query: ReceiptQuery,
    answers: { 200: { says: 'One page.', body: ReceiptPage } },
    errors: ['invalid_request'],
  },
]

const WEBHOOKS: readonly ApiRoute[] = [
  {
    method: 'get',
    path: '/v1/webhooks',
    name: 'listWebhooks',
    summary: 'Endpoints that events are sent to.',
    right: 'deliveries:write',
    answers: { 200: { says: 'All of them.', body: WebhookList } },
    errors: [],
  },
  {
    method: 'post',
    path: '/v1/webhooks',
    name: 'addWebhook',
    summary: 'Send events to an endpoint from now on, signed by Standard Webhooks.',
    right: 'deliveries:write',
    body: NewWebhook,
    answers: { 201: { says: 'The endpoint with its secret.', body: CreatedWebhook } },
    errors: ['invalid_request', 'config_invalid', ...BODY_ERRORS],
  },
  {
    method: 'delete',
    path: '/v1/webhooks/{id}',
    name: 'removeWebhook',
    summary: 'Send nothing more to an endpoint.',
    right: 'deliveries:write',
    answers: { 204: { says: 'Removed.', body: null } },
    errors: ['not_found'],
  },
  {
    method: 'post',
    path: '/v1/webhooks/{id}/enable',
    name: 'enableWebhook',
    summary: 'Enable an endpoint that was disabled; what it missed is sent.',
    right: 'deliveries:write',
    answers: { 200: { says: 'The endpoint.', body: Webhook } },
    errors: ['not_found'],
  },
  {
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    name: 'testWebhook',
    summary: 'Send a test event now.',
    right: 'deliveries:write',
    answers: { 200: { says: 'What the endpoint answered.', body: WebhookTest } },
    errors: ['not_found'],
  },
]

const OPERATIONS: readonly ApiRoute[] = [
  {
    method: 'get',
    path: '/healthz',
    name: 'health',
    summary: 'The process answers.',
    right: null,
    answers: { 200: { says: 'It does.', body: Status } },
    errors: [],
  },
  {
    method: 'get',
    path: '/readyz',
    name: 'readiness',
    summary: 'Whether this process does its work.',
    right: null,
    answers: {
      200: { says: 'It does.', body: Status },
      503: { says: 'It does not, and why.', body: Unready },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/metrics',
    name: 'metrics',
    summary: 'Figures for Prometheus.',
    right: null,
    answers: { 200: { says: 'Text exposition format.', body: 'text' } },
    errors: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    name: 'document',
    summary: 'This document.',
    right: null,
    answers: { 200: { says: 'OpenAPI 3.1.', body: z.looseObject({ openapi: z.string() }) } },
    errors: [],
  },
]

/** Every route of the API. Pages for people and the platforms' own doors are not part of it. */
export const API_ROUTES: readonly ApiRoute[] = [
  ...RUNS,
  ...NOTICES,
  ...DELIVERIES,
  ...RECEIPTS,
  ...WEBHOOKS,
  ...OPERATIONS,
]
