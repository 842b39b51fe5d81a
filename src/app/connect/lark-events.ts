import type { Logger } from '../../log.js'
import { type LarkCardAction, parseLarkEvent } from '../../platforms/lark/events.js'
import { handleLarkEvent, type LarkEventBook } from '../../platforms/lark/handle-event.js'
import { appCheckOf, type LarkProver } from '../../platforms/lark/install.js'
import type { LarkInbox } from '../../platforms/lark/receiver.js'
import type { JsonObject } from '../../render/part.js'
import { closeConversation, openConversation, renameConversation } from '../../store/conversation-events.js'
import type { Database } from '../../store/database.js'
import { installationId } from '../../store/installations.js'
import {
  findLarkInstallation,
  parkLarkInstallation,
  putLarkInstallation,
} from '../../store/lark-installations.js'
import { removeInstallation } from '../../store/remove-installation.js'
import { seenEvents } from '../../store/seen-events.js'
import type { LarkApp } from '../apps.js'
import type { LarkTickets } from './lark-tickets.js'

/** Somebody used a control of a card. */
export interface LarkCardUse {
  readonly installationId: string
  readonly tenant: string
  readonly action: LarkCardAction
}

/** Answers a card's control; what it returns goes to Lark (a toast, a new card), null is nothing. */
export type OnCardAction = (use: LarkCardUse) => Promise<JsonObject | null>

export interface LarkEventsOptions {
  readonly app: LarkApp
  readonly db: Database
  readonly tickets: LarkTickets
  /** With a short timeout: Lark waits three seconds for an answer. */
  readonly prover: LarkProver
  readonly onCardAction: OnCardAction
  readonly log: Logger
  /** Milliseconds since the epoch, UTC. */
  readonly now: () => number
}

/** How long a tenant is known to be installed without a look, in ms; only for events that change nothing. */
const KNOWN_MS = 60_000

/** Handles every verified body of one app; rejects when it should be delivered again. */
export function createLarkEvents(options: LarkEventsOptions): LarkInbox {
  const { app, log, now } = options
  const book = eventBook(options)
  const knownUntilMs = new Map<string, number>()
  return async (body) => {
    const event = parseLarkEvent(body)
    if (event === null) return null
    const { tenant, change } = event
    // Chats may be busy, and what is written in them is none of our business: no look-up for each message.
    if (change.kind === 'other' && tenant !== null && (knownUntilMs.get(tenant) ?? 0) > now()) return null
    const { done, answer } = await handleLarkEvent(book, event)
    if (change.kind !== 'other') log.info({ app: app.key, change: change.kind, done }, 'an event from Lark')
    else if (tenant !== null && done === 'ignored') knownUntilMs.set(tenant, now() + KNOWN_MS)
    return answer ?? null
  }
}

function eventBook({ app, db, tickets, prover, onCardAction, now }: LarkEventsOptions): LarkEventBook {
  const seen = seenEvents(db)
  const source = `lark:${app.key}`
  const baseUrl = app.baseUrl
  // An internal app has the one tenant of the settings, which may not name it.
  const tenantOf = (tenant: string) => (app.kind === 'internal' && app.tenant === null ? app.appId : tenant)
  return {
    learnsTenants: app.kind === 'store',
    isSeen: (id) => seen.has(source, id),
    markSeen: (id) => seen.add(source, id),
    keepTicket: (ticket, happenedAtMs) => tickets.keep(app.appId, ticket, happenedAtMs),
    find: (tenant) => findLarkInstallation(db, { app: app.key, tenant: tenantOf(tenant) }),
    async check(tenant) {
      const { appId, appSecret, kind } = app
      const id = installationId('lark', tenantOf(tenant), app.key)
      return appCheckOf(await prover.prove(id, { appId, appSecret, kind, baseUrl, tenant }))
    },
    put: (tenant) => putLarkInstallation(db, { app: app.key, tenant: tenantOf(tenant), baseUrl }),
    park: (installation, code) => parkLarkInstallation(db, installation, code),
    remove: (installation, code) => removeInstallation(db, installation, code),
    closeConversation: (id, chat, code) => closeConversation(db, id, chat, code),
    openConversation: async (id, chat) => void (await openConversation(db, id, chat)),
    renameConversation: (id, chat, name) => renameConversation(db, id, chat, name),
    cardAction: (id, tenant, action) => onCardAction({ installationId: id, tenant, action }),
    now,
  }
}
