import type { Router } from 'express'
import { LastwordError } from '../../errors.js'
import type { Logger } from '../../log.js'
import { createLarkProver, type LarkProver } from '../../platforms/lark/install.js'
import { addLarkReceiver } from '../../platforms/lark/receiver.js'
import { createLarkSocket, type LarkSocket } from '../../platforms/lark/socket.js'
import type { Database } from '../../store/database.js'
import { seenEvents } from '../../store/seen-events.js'
import type { LarkApp } from '../apps.js'
import { type Doors, doorsOf } from './doors.js'
import { createLarkEvents, type OnCardAction } from './lark-events.js'
import type { LarkTickets } from './lark-tickets.js'

/** Lark waits three seconds for the answer to an event; a look at the app may take part of it. */
const EVENT_CALL_TIMEOUT_MS = 1_500

export interface LarkDoorsOptions {
  readonly db: Database
  readonly tickets: LarkTickets
  /** `socket`: internal apps open a long connection; store apps, which cannot, keep their address. */
  readonly mode: 'http' | 'socket'
  readonly onCardAction?: OnCardAction
  readonly log: Logger
  /** Milliseconds since the epoch, UTC. */
  readonly now: () => number
}

/** Where the console sends an app's events and card callbacks, from the root. */
export function larkEventsPath(app: Pick<LarkApp, 'appId'>): string {
  return `/lark/events/${app.appId}`
}

/**
 * Adds the event door of every app to a router, or opens its long connection. An app without encrypt key and
 * verification token has no door: anybody could speak for Lark there.
 *
 * @throws {LastwordError} `config_invalid` when two apps have one id: their events could not be told apart
 */
export function addLarkDoors(apps: readonly LarkApp[], options: LarkDoorsOptions, router: Router): Doors {
  refuseTwins(apps)
  const prover = createLarkProver({
    appTicket: (appId) => options.tickets.newest(appId),
    timeoutMs: EVENT_CALL_TIMEOUT_MS,
    now: options.now,
  })
  const sockets = apps.flatMap((app) => addApp(app, options, prover, router))
  return doorsOf(sockets, () => prover.close())
}

function addApp(
  app: LarkApp,
  options: LarkDoorsOptions,
  prover: LarkProver,
  router: Router,
): readonly LarkSocket[] {
  const { db, log, now } = options
  const { appId, appSecret, baseUrl, encryptKey, verificationToken } = app
  const onCardAction = options.onCardAction ?? (async () => null)
  const onBody = createLarkEvents({ ...options, app, prover, onCardAction })
  const onFault = (code: string) => log.warn({ app: app.key, code }, 'an event from Lark was not taken')
  if (options.mode === 'socket' && app.kind === 'internal') {
    const onConnected = () => log.info({ app: app.key }, 'connected to Lark for events')
    return [createLarkSocket({ appId, appSecret, baseUrl, onBody, onFault, onConnected })]
  }
  if (encryptKey === null && verificationToken === null) {
    if (app.kind === 'store') throw keysNeeded(app)
    return []
  }
  const seen = seenEvents(db)
  const source = `lark-request:${appId}`
  addLarkReceiver(
    {
      keys: { appId, encryptKey, verificationToken },
      path: larkEventsPath(app),
      onBody,
      replays: { has: (once) => seen.has(source, once), add: (once) => seen.add(source, once) },
      onFault,
      nowMs: now,
    },
    router,
  )
  return []
}

/** A store app gets its ticket by an event; without the door it never speaks. */
function keysNeeded(app: LarkApp): LastwordError {
  const path = app.key === '' ? 'LARK_VERIFICATION_TOKEN' : `LASTWORD_APPS_FILE: lark ${app.key}`
  return invalid(path, 'an encrypt key or a verification token: a store app gets its ticket by an event')
}

function refuseTwins(apps: readonly LarkApp[]): void {
  const ids = apps.map(({ appId }) => appId)
  if (new Set(ids).size !== ids.length) throw invalid('LASTWORD_APPS_FILE', 'every Lark app id once')
}

function invalid(path: string, expected: string): LastwordError {
  return new LastwordError('config_invalid', `settings are not usable:\n  ${path}: ${expected}`, {
    faults: [{ path, expected }],
  })
}
