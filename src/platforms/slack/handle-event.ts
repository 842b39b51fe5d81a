import type { SlackEvent } from './events.js'

/** Whether a token still works; `unknown` when Slack could not be asked. */
export type TokenCheck = 'works' | 'refused' | 'unknown'

/** An installation as the event handler sees it. */
export interface SlackInstallation {
  readonly id: string
  readonly state: 'active' | 'parked' | 'removed'
  /** Ms since the epoch, UTC. */
  readonly installedAtMs: number
  readonly isOrgWide: boolean
  readonly botUserId: string | null
}

/** What handling an event needs of the store. Every method may be repeated without harm. */
export interface SlackEventBook {
  isSeen(eventId: string): Promise<boolean>
  markSeen(eventId: string): Promise<void>
  /** The installation that serves a workspace: its own one first, then its organization's. */
  find(at: Pick<SlackEvent, 'workspace' | 'enterprise' | 'isOrgWide'>): Promise<SlackInstallation | null>
  checkToken(installationId: string): Promise<TokenCheck>
  /** Deletes the credentials and parks the deliveries, unless it was installed again since `find`. */
  remove(installation: SlackInstallation, code: string): Promise<boolean>
  addWorkspaces(installationId: string, workspaces: readonly string[]): Promise<void>
  removeWorkspaces(installationId: string, workspaces: readonly string[]): Promise<void>
  closeConversation(installationId: string, channel: string, code: string): Promise<void>
  /** The conversation takes messages again: what waits for it is tried. */
  openConversation(installationId: string, channel: string): Promise<void>
  renameConversation(installationId: string, channel: string, name: string): Promise<void>
}

/** What was done, for the log. */
export type Handled =
  | 'repeated'
  | 'not_installed'
  | 'ignored'
  | 'stale'
  | 'still_installed'
  | 'removed'
  | 'corrected'

/**
 * Brings what we know up to an event. Once handled, the event's id is kept, so that a redelivery on any process does
 * nothing; a handling that throws is done again with Slack's next delivery.
 */
export async function handleSlackEvent(book: SlackEventBook, event: SlackEvent): Promise<Handled> {
  if (await book.isSeen(event.eventId)) return 'repeated'
  const installation = await book.find(event)
  const handled = installation === null ? 'not_installed' : await apply(book, event, installation)
  await book.markSeen(event.eventId)
  return handled
}

async function apply(
  book: SlackEventBook,
  event: SlackEvent,
  installation: SlackInstallation,
): Promise<Handled> {
  const { change } = event
  if (change.kind === 'uninstalled') return remove(book, event, installation, 'app_uninstalled')
  if (change.kind === 'tokens_revoked') {
    const { botUserIds } = change
    const { botUserId } = installation
    const isOurs = botUserId === null ? botUserIds.length > 0 : botUserIds.includes(botUserId)
    return isOurs ? remove(book, event, installation, 'tokens_revoked') : 'ignored'
  }
  if (installation.state === 'removed') return 'not_installed'
  // An organization's installation learns its workspaces from the events that come through it.
  if (installation.isOrgWide && event.workspace?.startsWith('T') && change.kind !== 'workspaces_revoked') {
    await book.addWorkspaces(installation.id, [event.workspace])
  }
  switch (change.kind) {
    case 'workspaces_granted':
      await book.addWorkspaces(installation.id, change.workspaces)
      return 'corrected'
    case 'workspaces_revoked':
      await book.removeWorkspaces(installation.id, change.workspaces)
      return 'corrected'
    case 'conversation_closed':
      await book.closeConversation(installation.id, change.channel, change.code)
      return 'corrected'
    case 'conversation_opened':
      if (change.userId !== null && change.userId !== installation.botUserId) return 'ignored'
      await book.openConversation(installation.id, change.channel)
      return 'corrected'
    case 'conversation_renamed':
      await book.renameConversation(installation.id, change.channel, change.name)
      return 'corrected'
    case 'other':
      return 'ignored'
    default:
      throw new TypeError(`unhandled change: ${JSON.stringify(change satisfies never)}`)
  }
}

/**
 * Removes an installation that an event calls gone. Events come late and in any order: one that is older than the
 * install is not about it, and where Slack still takes the token, the app is there.
 */
async function remove(
  book: SlackEventBook,
  event: SlackEvent,
  installation: SlackInstallation,
  code: string,
): Promise<Handled> {
  if (installation.state === 'removed') return 'ignored'
  // Slack tells whole seconds.
  const installedAtMs = Math.floor(installation.installedAtMs / 1_000) * 1_000
  if (event.happenedAtMs < installedAtMs) return 'stale'
  const token = await book.checkToken(installation.id)
  if (token === 'works') return 'still_installed'
  // In the very second of the install only a refusal tells which came first.
  if (token === 'unknown' && event.happenedAtMs === installedAtMs) return 'stale'
  return (await book.remove(installation, code)) ? 'removed' : 'stale'
}
