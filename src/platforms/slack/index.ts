import type { Fault, InstallationRef, Platform } from '../../deliver/platform.js'
import { anchorOf } from './address.js'
import { createSlackCall, type SlackCredentialSource } from './call.js'
import { createSlackClients, type SlackClientOptions } from './client.js'
import { clearAcknowledgement, describe, openDirect, personLocale } from './conversations.js'
import { edit, permalink, remove } from './edit.js'
import { createFind } from './find.js'
import { renderSlack } from './render.js'
import { markRepeatSlack } from './render-mark.js'
import { simplifySlack } from './render-simplify.js'
import { toRequest } from './request.js'
import { send } from './send.js'

export type { SlackCredentialSource, SlackCredentials } from './call.js'

type Refreshed = Awaited<ReturnType<Platform['refreshToken']>>

export interface SlackPlatformOptions extends SlackClientOptions {
  /** Where tokens come from; asked before every call, so it should cache. A throw counts as "not sent". */
  readonly credentials: SlackCredentialSource
  /** Gets a new token for an installation. Absent: tokens of this kind cannot be refreshed. */
  readonly refresh?: (installationId: string) => Promise<Refreshed>
  /** Milliseconds since the Unix epoch, UTC. */
  readonly nowMs?: () => number
}

export interface SlackPlatform extends Platform {
  /** Waits for calls in flight and closes idle sockets. */
  close(): Promise<void>
}

/** Slack as a place to put words. Holds sockets and nothing else; `deliver` remembers what happened. */
export function createSlackPlatform(options: SlackPlatformOptions): SlackPlatform {
  const clients = createSlackClients(options)
  const nowMs = options.nowMs ?? Date.now
  const call = createSlackCall({ clients, credentials: options.credentials, nowMs })
  return {
    name: 'slack',
    render: renderSlack,
    simplify: simplifySlack,
    markRepeat: markRepeatSlack,
    toRequest,
    anchorOf,
    // chat.postMessage has no idempotency key (platforms 1.1): what is unknown can only be looked up.
    sameKeyWindowMs: 0,
    send: (target, part, marker) => send(call, clients, target, part, marker),
    find: createFind(call),
    edit: (target, messageId, part, marker) => edit(call, target, messageId, part, marker),
    remove: (target, messageId) => remove(call, target, messageId),
    describe: (installation, workspace, id) => describe(call, installation, workspace, id),
    openDirect: (installation, workspace, id) => openDirect(call, installation, workspace, id),
    personLocale: (installation, workspace, id) => personLocale(call, installation, workspace, id),
    permalink: (target, messageId) => permalink(call, target, messageId),
    clearAcknowledgement: (target, left) => clearAcknowledgement(call, target, left),
    refreshToken: singleFlight(options.refresh),
    close: () => clients.close(),
  }
}

/** A refresh token works once (docs.slack.dev/authentication/using-token-rotation), so all who ask share one refresh. */
function singleFlight(
  refresh: SlackPlatformOptions['refresh'],
): (installation: InstallationRef) => Promise<Refreshed> {
  const running = new Map<string, Promise<Refreshed>>()
  return (installation) => {
    if (!refresh) return Promise.resolve(EXPIRED)
    const current = running.get(installation.id)
    if (current) return current
    const started = refresh(installation.id)
      .catch((): Fault => ({ kind: 'not_sent', code: 'refresh_failed' }))
      .finally(() => running.delete(installation.id))
    running.set(installation.id, started)
    return started
  }
}

const EXPIRED: Fault = { kind: 'installation_dead', remedy: 'reinstall', code: 'token_expired' }
