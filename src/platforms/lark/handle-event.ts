import type { JsonObject } from '../../render/part.js'
import type { LarkCardAction, LarkChange, LarkEvent } from './events.js'

/** Whether the app still speaks for a tenant; `unknown` when Lark could not be asked. */
export type AppCheck = 'works' | 'refused' | 'unknown'

/** An installation as the event handler sees it. */
export interface LarkInstallation {
  readonly id: string
  readonly state: 'active' | 'parked' | 'removed'
  /** Why it is parked or removed: our word or Lark's code. */
  readonly stateCode: string | null
  /** Both in ms since the epoch, UTC. */
  readonly installedAtMs: number
  readonly stateAtMs: number
}

/** What handling an event of one app needs of the store. Every method may be repeated without harm. */
export interface LarkEventBook {
  /** Whether tenants come and go (a store app) or there is the one of the settings (an internal app). */
  readonly learnsTenants: boolean
  isSeen(eventId: string): Promise<boolean>
  markSeen(eventId: string): Promise<void>
  /** Keeps a ticket unless a newer one is kept already. */
  keepTicket(ticket: string, happenedAtMs: number): Promise<void>
  find(tenant: string): Promise<LarkInstallation | null>
  /** Asks Lark with a token fetched now. */
  check(tenant: string): Promise<AppCheck>
  /** Makes the tenant's installation, or brings it back: what waits for it is tried. */
  put(tenant: string): Promise<LarkInstallation>
  /** Nothing is sent until the app is switched on again. */
  park(installation: LarkInstallation, code: string): Promise<boolean>
  /** Parks the deliveries and refuses new runs, unless it was installed again since `find`. */
  remove(installation: LarkInstallation, code: string): Promise<boolean>
  closeConversation(installationId: string, chat: string, code: string): Promise<void>
  /** What was remembered is forgotten: Lark is asked anew, and what waits for the chat is tried. */
  openConversation(installationId: string, chat: string): Promise<void>
  renameConversation(installationId: string, chat: string, name: string): Promise<void>
  /** Answers what somebody did on a card; what comes back goes to Lark (a toast, a new card), null is nothing. */
  cardAction(installationId: string, tenant: string, action: LarkCardAction): Promise<JsonObject | null>
  /** Milliseconds since the epoch, UTC. */
  now(): number
}

/** What was done, for the log; `answer` goes back to Lark. */
export interface Handled {
  readonly done:
    | 'repeated'
    | 'not_installed'
    | 'ignored'
    | 'stale'
    | 'still_installed'
    | 'ticket_kept'
    | 'installed'
    | 'parked'
    | 'removed'
    | 'corrected'
    | 'answered'
  readonly answer?: JsonObject
}

/** Lark could not be asked what is true now; its next delivery of the event decides. */
export class UndecidedEventError extends Error {
  override readonly name = 'UndecidedEventError'
  readonly code = 'undecided_event'
}

/** A chat event older than this was redelivered and may have been overtaken by a later one. */
const LATE_MS = 10_000

/**
 * Brings what we know up to an event. Once handled, the event's id is kept, so that a redelivery on any process does
 * nothing; a handling that throws is done again with Lark's next delivery. Age alone never drops an event.
 *
 * @throws {UndecidedEventError}
 */
export async function handleLarkEvent(book: LarkEventBook, event: LarkEvent): Promise<Handled> {
  if (await book.isSeen(event.eventId)) return { done: 'repeated' }
  const handled = await apply(book, event)
  await book.markSeen(event.eventId)
  return handled
}

async function apply(book: LarkEventBook, event: LarkEvent): Promise<Handled> {
  const { change, tenant } = event
  if (change.kind === 'ticket') {
    await book.keepTicket(change.ticket, event.happenedAtMs)
    return { done: 'ticket_kept' }
  }
  if (tenant === null) return { done: 'ignored' }
  const found = await book.find(tenant)
  switch (change.kind) {
    case 'enabled':
      return { done: await enable(book, event, tenant, found) }
    case 'disabled':
    case 'uninstalled':
      return { done: await disable(book, event, tenant, found, change) }
    default: {
      const installation = await installed(book, tenant, found)
      return installation === null
        ? { done: 'not_installed' }
        : correct(book, event, installation, tenant, change)
    }
  }
}

/** Switched on. One that is older than what we know needs Lark's word; so does one that Lark contradicts. */
async function enable(
  book: LarkEventBook,
  event: LarkEvent,
  tenant: string,
  found: LarkInstallation | null,
): Promise<Handled['done']> {
  if (found?.state === 'active') return 'ignored'
  if (found === null && !book.learnsTenants) return 'not_installed'
  const isNews = found === null || event.happenedAtMs >= found.stateAtMs
  const check = await book.check(tenant)
  if (check !== 'works') {
    if (check === 'refused' && !isNews) return 'stale'
    if (check === 'refused' || !isNews) throw new UndecidedEventError()
  }
  await book.put(tenant)
  return 'installed'
}

/** Switched off or uninstalled: only when it is about this installation and Lark refuses the app now. */
async function disable(
  book: LarkEventBook,
  event: LarkEvent,
  tenant: string,
  found: LarkInstallation | null,
  change: Extract<LarkChange, { kind: 'disabled' | 'uninstalled' }>,
): Promise<Handled['done']> {
  if (found === null || found.state === 'removed') return 'ignored'
  switch (await book.check(tenant)) {
    case 'works':
      return 'still_installed'
    case 'unknown':
      throw new UndecidedEventError()
    case 'refused':
      break
  }
  // Refused now, but by an installation of after this event: its own event is on the way.
  if (event.happenedAtMs < found.installedAtMs) return 'stale'
  if (change.kind === 'disabled') return (await book.park(found, change.code)) ? 'parked' : 'ignored'
  return (await book.remove(found, 'app_uninstalled')) ? 'removed' : 'stale'
}

/** Reasons to park that are over once the app works in the tenant: it was off, or not there (codes.ts). */
const OVER_WHEN_IT_WORKS: ReadonlySet<string> = new Set([
  'app_disabled',
  'app_stopped_by_platform',
  '10014',
  '11207',
  '11210',
  '20009',
  '99991662',
  '99991673',
])

/**
 * The installation an event came through. A store app's tenant is known from its first event on, and one that was
 * found to be off is back when its events are.
 */
async function installed(
  book: LarkEventBook,
  tenant: string,
  found: LarkInstallation | null,
): Promise<LarkInstallation | null> {
  if (found?.state === 'active') return found
  if (found?.state === 'parked') {
    const mayBeBack = OVER_WHEN_IT_WORKS.has(found.stateCode ?? '')
    return mayBeBack && (await book.check(tenant)) === 'works' ? book.put(tenant) : found
  }
  if (!book.learnsTenants) return null
  const check = await book.check(tenant)
  // For a tenant we never saw, the event itself speaks; for one that left, it may be a late one.
  const isInstalled = check === 'works' || (check === 'unknown' && found === null)
  return isInstalled ? book.put(tenant) : null
}

async function correct(
  book: LarkEventBook,
  event: LarkEvent,
  { id }: LarkInstallation,
  tenant: string,
  change: Exclude<LarkChange, { kind: 'ticket' | 'enabled' | 'disabled' | 'uninstalled' }>,
): Promise<Handled> {
  switch (change.kind) {
    case 'conversation_closed':
      if (book.now() - event.happenedAtMs > LATE_MS) await book.openConversation(id, change.chat)
      else await book.closeConversation(id, change.chat, change.code)
      return { done: 'corrected' }
    case 'conversation_opened':
    case 'conversation_changed':
      await book.openConversation(id, change.chat)
      return { done: 'corrected' }
    case 'conversation_renamed':
      await book.renameConversation(id, change.chat, change.name)
      return { done: 'corrected' }
    case 'card_action': {
      const answer = await book.cardAction(id, tenant, change.action)
      return answer === null ? { done: 'ignored' } : { done: 'answered', answer }
    }
    case 'other':
      return { done: 'ignored' }
    default:
      throw new TypeError(`unhandled change: ${JSON.stringify(change satisfies never)}`)
  }
}
