import type { Logger } from '../../log.js'
import type { SlackCredentialSource } from '../../platforms/slack/call.js'
import { classify } from '../../platforms/slack/classify.js'
import type { SlackClients } from '../../platforms/slack/client.js'
import { parseSlackEvent } from '../../platforms/slack/events.js'
import { handleSlackEvent, type SlackEventBook, type TokenCheck } from '../../platforms/slack/handle-event.js'
import { closeConversation, openConversation, renameConversation } from '../../store/conversation-events.js'
import type { CredentialVault } from '../../store/credentials.js'
import type { Database } from '../../store/database.js'
import { removeInstallation } from '../../store/remove-installation.js'
import { seenEvents } from '../../store/seen-events.js'
import { findSlackInstallation } from '../../store/slack-installations.js'
import { addWorkspaces, removeWorkspaces } from '../../store/workspaces.js'

export interface SlackEventsOptions {
  readonly db: Database
  /** The app's key in the settings. */
  readonly app: string
  readonly vault: Pick<CredentialVault, 'forget'>
  readonly credentials: SlackCredentialSource
  /** With a short timeout: Slack waits three seconds for an answer. */
  readonly clients: SlackClients
  readonly log: Logger
}

/** Handles every verified body of one app; rejects when it should be delivered again. */
export function createSlackEvents(options: SlackEventsOptions): (body: unknown) => Promise<void> {
  const book = eventBook(options)
  return async (body) => {
    const event = parseSlackEvent(body)
    if (event === null) return
    const handled = await handleSlackEvent(book, event)
    options.log.info({ app: options.app, change: event.change.kind, handled }, 'an event from Slack')
  }
}

function eventBook({ db, app, vault, credentials, clients }: SlackEventsOptions): SlackEventBook {
  const seen = seenEvents(db)
  const source = `slack:${app}`
  return {
    isSeen: (id) => seen.has(source, id),
    markSeen: (id) => seen.add(source, id),
    async find(at) {
      const found = await findSlackInstallation(db, { app, ...at })
      if (found === null) return null
      const known = await credentials(found.id, { isFresh: true }).catch(() => null)
      return { ...found, botUserId: known?.botUserId ?? null }
    },
    checkToken: (id) => checkToken(id, credentials, clients),
    async remove(installation, code) {
      const wasRemoved = await removeInstallation(db, installation, code)
      vault.forget(installation.id)
      return wasRemoved
    },
    addWorkspaces: (id, workspaces) =>
      addWorkspaces(
        db,
        id,
        workspaces.map((workspace) => ({ id: workspace, name: null })),
      ),
    removeWorkspaces: (id, workspaces) => removeWorkspaces(db, id, workspaces),
    closeConversation: (id, channel, code) => closeConversation(db, id, channel, code),
    openConversation: async (id, channel) => void (await openConversation(db, id, channel)),
    renameConversation: (id, channel, name) => renameConversation(db, id, channel, name),
  }
}

/** Asks Slack whether a token works. Only a plain refusal counts as one; an expired token tells nothing. */
async function checkToken(
  id: string,
  credentials: SlackCredentialSource,
  clients: SlackClients,
): Promise<TokenCheck> {
  const known = await credentials(id, { isFresh: true }).catch(() => undefined)
  if (known === undefined) return 'unknown'
  if (known === null) return 'refused'
  try {
    await clients.get(id).apiCall('auth.test', { token: known.token })
    return 'works'
  } catch (error) {
    const fault = classify(error, { method: 'auth.test', nowMs: Date.now() })
    return fault.kind === 'installation_dead' && fault.remedy === 'reinstall' ? 'refused' : 'unknown'
  }
}
