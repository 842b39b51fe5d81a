import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Producer } from '../intake/producer.js'
import { trustedProducer } from '../intake/producer.js'
import type { Logger } from '../log.js'
import { findApiKey } from '../store/api-keys.js'
import { readOverview } from '../store/console-overview.js'
import { closeSessionRecord, findSessionRecord, openSessionRecord } from '../store/console-sessions.js'
import { readConsoleStory } from '../store/console-story.js'
import type { Database } from '../store/database.js'
import { listDeliveries } from '../store/delivery-list.js'
import { listInstallationHealth, showInstallationHealth } from '../store/installation-health.js'
import { resumeInstallation } from '../store/resume-installation.js'
import type { ConsoleDoors } from '../web/console/doors.js'
import type { DeliveryDoors } from '../web/deliveries.js'
import { producerOfKey } from './producers.js'

/** How long a session lasts, in ms: a working day. */
const SESSION_MS = 12 * 3_600_000

export interface ConsoleAccess {
  readonly db: Database
  /** The operator's own key; null: there is none. */
  readonly ownKey: string | null
  readonly deliveries: Pick<DeliveryDoors, 'show' | 'replay' | 'cancel'>
  /** Milliseconds since the Unix epoch, UTC. */
  readonly now: () => number
  readonly log: Logger
}

/** What the console reads and changes, over one database. Sessions are known to every process on it. */
export function createConsoleDoors({ db, ownKey, deliveries, now, log }: ConsoleAccess): ConsoleDoors {
  return {
    ...sessions(db, ownKey, now),
    overview: (scope) => readOverview(db, scope, now()),
    search: (filter, page) => listDeliveries(db, filter, page),
    story: (id) => readConsoleStory(db, id),
    async permalink(id, partIndex) {
      const story = await deliveries.show(id)
      return story?.parts.find(({ index }) => index === partIndex)?.permalink ?? null
    },
    installations: (scope, page) => listInstallationHealth(db, scope, page),
    installation: (id) => showInstallationHealth(db, id),
    async replay(id, by) {
      await deliveries.replay(id)
      log.info({ deliveryId: id, by: by.name }, 'replayed from the console')
    },
    async cancel(id, by) {
      await deliveries.cancel(id)
      log.info({ deliveryId: id, by: by.name }, 'cancelled from the console')
    },
    async resume(id, by) {
      await resumeInstallation(db, id)
      log.info({ installationId: id, by: by.name }, 'resumed from the console')
    },
  }
}

function sessions(
  db: Database,
  ownKey: string | null,
  now: () => number,
): Pick<ConsoleDoors, 'signIn' | 'viewer' | 'signOut'> {
  return {
    async signIn(key) {
      const holder = await holderOf(db, ownKey, key)
      if (holder === null) return { kind: 'unknown_key' }
      if (!holder.producer.may('console')) return { kind: 'not_allowed' }
      const session = randomBytes(32).toString('base64url')
      const expiresAtMs = now() + SESSION_MS
      const proof = holder.keyId === null ? proofOf(session, key) : null
      await openSessionRecord(db, { hash: hashOf(session), keyId: holder.keyId, proof }, expiresAtMs, now())
      return { kind: 'opened', session, expiresAtMs }
    },
    async viewer(session) {
      const found = await findSessionRecord(db, hashOf(session), now())
      if (found === null) return null
      if (found.key === null) {
        // The operator's own key is in no table: a session ends when the key is changed.
        const isOwn = ownKey !== null && found.proof !== null && isSame(found.proof, proofOf(session, ownKey))
        return isOwn ? trustedProducer('owner') : null
      }
      const producer = producerOfKey(found.key)
      return producer.may('console') ? producer : null
    },
    signOut: (session) => closeSessionRecord(db, hashOf(session)),
  }
}

async function holderOf(
  db: Database,
  ownKey: string | null,
  key: string,
): Promise<{ readonly keyId: string | null; readonly producer: Producer } | null> {
  if (ownKey !== null && isSame(hashOf(key), hashOf(ownKey)))
    return { keyId: null, producer: trustedProducer('owner') }
  const found = await findApiKey(db, key)
  return found === null ? null : { keyId: found.id, producer: producerOfKey(found) }
}

function hashOf(session: string): string {
  return createHash('sha256').update(session).digest('base64url')
}

/** Says that the key was known when the session began; says nothing of the key without the session. */
function proofOf(session: string, key: string): string {
  return createHmac('sha256', session).update(key).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
