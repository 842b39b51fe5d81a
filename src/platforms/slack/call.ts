import type { Fault, InstallationRef } from '../../deliver/platform.js'
import type { JsonObject } from '../../render/part.js'
import { classify } from './classify.js'
import type { SlackClients } from './client.js'

/** What an installation calls Slack with. Ids that are not known are null. */
export interface SlackCredentials {
  readonly token: string
  /** One token for every workspace of an enterprise: calls then name the workspace. */
  readonly isOrgWide: boolean
  readonly appId: string | null
  readonly botId: string | null
  readonly botUserId: string | null
}

/** Current credentials of an installation, or null when it was removed. `isFresh`: past any cache. */
export type SlackCredentialSource = (
  installationId: string,
  options: { readonly isFresh: boolean },
) => Promise<SlackCredentials | null>

export interface Answer {
  readonly kind: 'answer'
  /** The body as it came; parse what is used. */
  readonly body: unknown
  readonly credentials: SlackCredentials
}

/** Makes one Web API call and never throws. */
export type SlackCall = (
  at: { readonly installation: InstallationRef; readonly workspace: string },
  method: string,
  payload: JsonObject,
) => Promise<Answer | Fault>

export interface SlackCallOptions {
  readonly clients: SlackClients
  readonly credentials: SlackCredentialSource
  readonly nowMs: () => number
}

/** Refusals of a token, not of the call made with it. */
const TOKEN_REFUSED: ReadonlySet<string> = new Set(['invalid_auth', 'token_revoked', 'not_authed'])

/** Binds Slack calls to a source of tokens and a pool of clients. */
export function createSlackCall({ clients, credentials, nowMs }: SlackCallOptions): SlackCall {
  return async (at, method, payload) => {
    const used = await read(credentials, at.installation.id, false)
    if ('kind' in used) return used
    try {
      const body = await clients.get(at.installation.id).apiCall(method, {
        ...payload,
        ...workspaceOf(used, at.workspace),
        token: used.token,
      })
      return { kind: 'answer', body, credentials: used }
    } catch (error) {
      const fault = classify(error, { method, nowMs: nowMs() })
      if (fault.kind !== 'installation_dead' || !TOKEN_REFUSED.has(fault.code)) return fault
      // Another process may have rotated the token meanwhile; then only our copy is dead, not the installation.
      const current = await read(credentials, at.installation.id, true)
      const isReplaced = !('kind' in current) && current.token !== used.token
      return isReplaced ? { kind: 'token', code: fault.code } : fault
    }
  }
}

async function read(
  source: SlackCredentialSource,
  installationId: string,
  isFresh: boolean,
): Promise<SlackCredentials | Fault> {
  try {
    const found = await source(installationId, { isFresh })
    return found ?? { kind: 'installation_dead', remedy: 'reinstall', code: 'not_installed' }
  } catch {
    return { kind: 'not_sent', code: 'credentials_unavailable' }
  }
}

/** Source: docs.slack.dev/enterprise, "Using an org-wide token": `team_id` names the workspace. */
function workspaceOf(credentials: SlackCredentials, workspace: string): { readonly team_id?: string } {
  return credentials.isOrgWide && workspace.startsWith('T') ? { team_id: workspace } : {}
}
