import type { Router } from 'express'
import type { Config } from '../../config.js'
import { LastwordError } from '../../errors.js'
import type { Logger } from '../../log.js'
import type { SlackCredentialSource } from '../../platforms/slack/call.js'
import { createSlackClients, type SlackClients } from '../../platforms/slack/client.js'
import type { SlackGrant } from '../../platforms/slack/install.js'
import { addSlackInstaller, type InstallPages } from '../../platforms/slack/installer.js'
import { createSlackReceiver, createSlackSocket, type SlackSocket } from '../../platforms/slack/receiver.js'
import { listSlackWorkspaces } from '../../platforms/slack/workspaces.js'
import type { CredentialVault } from '../../store/credentials.js'
import type { Database } from '../../store/database.js'
import { installStates } from '../../store/install-states.js'
import type { Sealer } from '../../store/sealing.js'
import { slackGrantBook } from '../../store/slack-installations.js'
import { addWorkspaces } from '../../store/workspaces.js'
import { slackPaths } from '../../web/slack-paths.js'
import type { SlackApp } from '../apps.js'
import { type Doors, doorsOf } from './doors.js'
import { createSlackEvents } from './slack-events.js'

/** Slack waits three seconds for the answer to an event; a look at the token may take part of it. */
const EVENT_CALL_TIMEOUT_MS = 1_500

export interface SlackDoorsOptions {
  readonly config: Config
  readonly db: Database
  readonly sealer: Sealer
  readonly vault: CredentialVault
  readonly credentials: SlackCredentialSource
  readonly clients: SlackClients
  readonly log: Logger
  /** Pages of the install, in the reader's language. */
  readonly pages: (app: SlackApp) => InstallPages
  /** Asked first about every verified body; false when it is no use of a control. */
  readonly onInteraction?: (body: unknown) => Promise<boolean>
  /** Milliseconds since the epoch, UTC. */
  readonly now: () => number
}

/** Adds the doors of every app to a router: install, and events over HTTP or a socket. */
export function addSlackDoors(apps: readonly SlackApp[], options: SlackDoorsOptions, router: Router): Doors {
  const eventClients = createSlackClients({
    apiUrl: options.config.SLACK_API_URL,
    timeoutMs: EVENT_CALL_TIMEOUT_MS,
  })
  const sockets = apps.flatMap((app) => addApp(app, options, eventClients, router))
  return doorsOf(sockets, () => eventClients.close())
}

function addApp(
  app: SlackApp,
  options: SlackDoorsOptions,
  eventClients: SlackClients,
  router: Router,
): readonly SlackSocket[] {
  const { config, log, now } = options
  const paths = slackPaths(app.key)
  const onEvent = createSlackEvents({ ...options, app: app.key, clients: eventClients })
  const inbox = {
    apiUrl: config.SLACK_API_URL,
    async onBody(body: unknown) {
      if (!(await options.onInteraction?.(body))) await onEvent(body)
    },
    onFault: (code: string) => log.warn({ app: app.key, code }, 'Slack’s SDK met a fault'),
  }
  if (app.signingSecret !== null) {
    createSlackReceiver(
      { ...inbox, signingSecret: app.signingSecret, path: paths.events, nowMs: now },
      router,
    )
  }
  addInstall(app, options, inbox.onFault, router)
  return app.appToken === null ? [] : [createSlackSocket({ ...inbox, appToken: app.appToken })]
}

function addInstall(
  app: SlackApp,
  options: SlackDoorsOptions,
  onFault: (code: string) => void,
  router: Router,
): void {
  const { config, db, sealer, vault } = options
  if (app.clientId === null || app.clientSecret === null) return
  if (config.LASTWORD_PUBLIC_URL === undefined) throw missingPublicUrl()
  const paths = slackPaths(app.key)
  addSlackInstaller(
    {
      apiUrl: config.SLACK_API_URL,
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      redirectUrl: `${config.LASTWORD_PUBLIC_URL.replace(/\/+$/, '')}${paths.callback}`,
      paths,
      states: installStates(db, `slack:${app.key}`),
      book: slackGrantBook(db, sealer, {
        app: app.key,
        apiUrl: config.SLACK_API_URL,
        async onPut(id, grant) {
          vault.forget(id)
          await learnWorkspaces(options, id, grant)
        },
      }),
      pages: options.pages(app),
      onFault,
    },
    router,
  )
}

/** Which workspaces an organization's install serves; what is not told now, events tell later. */
async function learnWorkspaces(options: SlackDoorsOptions, id: string, grant: SlackGrant): Promise<void> {
  options.log.info({ installationId: id, isOrgWide: grant.isOrgWide }, 'installed')
  if (!grant.isOrgWide) return
  try {
    await addWorkspaces(options.db, id, await listSlackWorkspaces(options.clients, grant.token))
  } catch (err) {
    options.log.warn({ err, installationId: id }, 'the organization’s workspaces are not known yet')
  }
}

function missingPublicUrl(): LastwordError {
  const fault = { path: 'LASTWORD_PUBLIC_URL', expected: 'a value, because SLACK_CLIENT_ID is set' }
  return new LastwordError('config_invalid', `settings are not usable:\n  ${fault.path}: ${fault.expected}`, {
    faults: [fault],
  })
}
