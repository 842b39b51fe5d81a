import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { LastwordError } from '../errors.js'
import type { PostTarget } from '../receipts/post.js'
import type { Database } from './database.js'
import type { Sealer } from './sealing.js'

/** An endpoint as it may be shown: never its secret. */
export interface WebhookEndpoint {
  readonly id: string
  readonly url: string
  /** Kinds of events it gets; null is all of them. */
  readonly kinds: readonly string[] | null
  /** Installations whose events it gets; null is all of them, and events of none. */
  readonly installationIds: readonly string[] | null
  readonly mayBePrivate: boolean
  readonly state: 'active' | 'disabled'
  readonly stateCode: string | null
  readonly failingSince: string | null
  readonly lastSuccessAt: string | null
  readonly createdAt: string
}

export interface NewWebhookEndpoint {
  readonly url: string
  readonly kinds: readonly string[] | null
  readonly installationIds: readonly string[] | null
  readonly mayBePrivate: boolean
  /** Name of the key that made it. */
  readonly createdBy: string | null
}

/** Installations a reader may see; null is all of them. */
export type InstallationScope = readonly string[] | null

/** The place a sealed secret of an endpoint belongs to. */
export function placeOfWebhook(endpointId: string): string {
  return `webhook:${endpointId}`
}

/**
 * Makes an endpoint that gets what ends from now on.
 *
 * @returns the endpoint and its secret: shown once, never again
 */
export async function addWebhookEndpoint(
  db: Database,
  sealer: Pick<Sealer, 'seal'>,
  given: NewWebhookEndpoint,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> {
  const id = `whk_${randomBytes(8).toString('hex')}`
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const row = await db
    .insertInto('webhook_endpoints')
    .values({
      id,
      url: given.url,
      secret: await sealer.seal(secret, placeOfWebhook(id)),
      kinds: given.kinds === null ? null : [...given.kinds],
      installation_ids: given.installationIds === null ? null : [...given.installationIds],
      may_be_private: given.mayBePrivate,
      created_by: given.createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { endpoint: shown(row), secret }
}

/** Every endpoint within the scope, oldest first. */
export async function listWebhookEndpoints(
  db: Database,
  scope: InstallationScope,
): Promise<readonly WebhookEndpoint[]> {
  const rows = await within(scope, db.selectFrom('webhook_endpoints').selectAll())
    .orderBy('created_at')
    .execute()
  return rows.map(shown)
}

/** Whether an endpoint gets nothing that the reader may not see. */
function within<Q extends { where(expression: ReturnType<typeof sql<boolean>>): Q }>(
  scope: InstallationScope,
  query: Q,
): Q {
  return scope === null ? query : query.where(sql<boolean>`installation_ids <@ ${[...scope]}::text[]`)
}

/** @throws {LastwordError} `not_found` */
export async function removeWebhookEndpoint(
  db: Database,
  id: string,
  scope: InstallationScope,
): Promise<void> {
  const { numDeletedRows } = await within(
    scope,
    db.deleteFrom('webhook_endpoints').where('id', '=', id),
  ).executeTakeFirst()
  if (numDeletedRows === 0n) throw noEndpoint(id)
}

/**
 * Enables an endpoint again: what it missed meanwhile is sent, oldest first; tries that were used up are not.
 *
 * @throws {LastwordError} `not_found`
 */
export async function enableWebhookEndpoint(
  db: Database,
  id: string,
  scope: InstallationScope,
): Promise<WebhookEndpoint> {
  const row = await within(scope, db.updateTable('webhook_endpoints').where('id', '=', id))
    .set({
      state: 'active',
      state_code: null,
      state_at: sql<Date>`now()`,
      failing_since: null,
      not_before: null,
    })
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw noEndpoint(id)
  await sql`update webhook_messages set due_at = now() where endpoint_id = ${id} and state = 'pending'`.execute(
    db,
  )
  return shown(row)
}

/** Where an endpoint is and what it is signed with. @throws {LastwordError} `not_found` */
export async function webhookTarget(
  db: Database,
  sealer: Pick<Sealer, 'open'>,
  id: string,
  scope: InstallationScope,
): Promise<PostTarget> {
  const row = await within(
    scope,
    db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id),
  ).executeTakeFirst()
  if (row === undefined) throw noEndpoint(id)
  return {
    url: row.url,
    secret: await sealer.open(row.secret, placeOfWebhook(id)),
    mayBePrivate: row.may_be_private,
  }
}

function noEndpoint(id: string): LastwordError {
  return new LastwordError('not_found', `there is no webhook endpoint ${JSON.stringify(id)}`)
}

function shown(row: {
  id: string
  url: string
  kinds: string[] | null
  installation_ids: string[] | null
  may_be_private: boolean
  state: 'active' | 'disabled'
  state_code: string | null
  failing_since: Date | null
  last_success_at: Date | null
  created_at: Date
}): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    kinds: row.kinds,
    installationIds: row.installation_ids,
    mayBePrivate: row.may_be_private,
    state: row.state,
    stateCode: row.state_code,
    failingSince: row.failing_since?.toISOString() ?? null,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
