import { createHash, randomBytes } from 'node:crypto'
import type { Conversation, Run } from '../contract/run.js'
import { LastwordError } from '../errors.js'
import type { Producer } from './producer.js'

/** An installation a run may mean. */
export interface InstallationChoice {
  readonly id: string
  readonly tenant: string
}

/** A run as it enters the ledger. */
export interface NewDelivery {
  readonly id: string
  readonly installationId: string
  readonly laneKey: string
  readonly conversationKey: string
  readonly conversationId: string | null
  readonly run: Run
  readonly runHash: string
  readonly producer: string | null
  readonly expiresAtMs: number
}

/** What the ledger answered: the delivery that now stands for this run, and whether its body is this one's. */
export interface Accepted {
  readonly deliveryId: string
  readonly isNew: boolean
  readonly runHash: string
}

/** What acceptance needs of the store. */
export interface AcceptanceLedger {
  /** Installations that may serve this conversation: by workspace or tenant, or all of the platform when none is named. */
  findInstallations(
    platform: Conversation['platform'],
    tenant: string | null,
  ): Promise<readonly InstallationChoice[]>
  /** Inserts the delivery and arms its lane in one transaction; answers after commit. */
  accept(delivery: NewDelivery): Promise<Accepted>
}

export type { Producer }

export interface AcceptOptions {
  readonly ledger: AcceptanceLedger
  readonly now: () => number
  /** Age at which an undelivered run expires when it does not say, in ms. */
  readonly maxAgeMs: number
}

export type Acceptance = { readonly deliveryId: string; readonly isNew: boolean }

/**
 * Accepts a run once: the same run for the same conversation with the same body is the same delivery.
 *
 * @throws {LastwordError} `unknown_installation`, `ambiguous_installation`, `forbidden`, `run_conflict`
 */
export async function acceptRun(run: Run, producer: Producer, options: AcceptOptions): Promise<Acceptance> {
  if (!producer.may('runs:write')) throw new LastwordError('forbidden')
  const installation = await chooseInstallation(run.conversation, producer, options.ledger)
  const nowMs = options.now()
  const conversationKey = keyOf(installation.id, run.conversation)
  const runHash = hashOf(run)
  const accepted = await options.ledger.accept({
    id: newDeliveryId(nowMs),
    installationId: installation.id,
    laneKey: conversationKey,
    conversationKey,
    conversationId: run.conversation.place.kind === 'conversation' ? run.conversation.place.id : null,
    run,
    runHash,
    producer: producer.name,
    expiresAtMs: Math.min(run.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + options.maxAgeMs),
  })
  if (accepted.runHash !== runHash) {
    throw new LastwordError('run_conflict', undefined, {
      faults: [
        { path: '/runId', expected: 'a new run id or a greater attempt: this one stands with another body' },
      ],
    })
  }
  return { deliveryId: accepted.deliveryId, isNew: accepted.isNew }
}

/** Which installation serves a conversation, and whether this producer may post there. */
export async function chooseInstallation(
  conversation: Conversation,
  producer: Producer,
  ledger: Pick<AcceptanceLedger, 'findInstallations'>,
): Promise<InstallationChoice> {
  const isSlack = conversation.platform === 'slack'
  const tenant = isSlack ? conversation.workspace : conversation.tenant
  const path = isSlack ? '/conversation/workspace' : '/conversation/tenant'
  const choices = await ledger.findInstallations(conversation.platform, tenant)
  const [only, another] = choices
  if (only === undefined) {
    throw new LastwordError('unknown_installation', undefined, {
      faults: [{ path, expected: 'an installed one' }],
    })
  }
  const allowed = choices.filter((choice) => producer.mayPostTo(choice.id))
  const [mine, mineToo] = allowed
  if (mine === undefined) {
    throw new LastwordError('forbidden', undefined, {
      faults: [{ path, expected: 'one that this key may post to' }],
    })
  }
  if (another !== undefined && mineToo !== undefined) {
    throw new LastwordError('ambiguous_installation', undefined, {
      faults: [{ path, expected: 'a name, because several are installed' }],
    })
  }
  return mine
}

/** The conversation as a key: installation, place, thread. Also the name of its lane. */
export function keyOf(installationId: string, conversation: Conversation): string {
  const { place, thread } = conversation
  return [installationId, place.kind === 'person' ? `person:${place.id}` : place.id, thread ?? ''].join('|')
}

/** Time-ordered, so that an index of a million stays compact; random enough never to meet. */
function newDeliveryId(nowMs: number): string {
  return `dlv_${nowMs.toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`
}

/** Independent of the order of keys, and of the trace: a producer that posts again does so in another span. */
export function hashOf(run: Run): string {
  return hashOfDocument({ ...run, traceparent: null })
}

/** Independent of the order of keys. */
export function hashOfDocument(document: object): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(document)))
    .digest('base64url')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
