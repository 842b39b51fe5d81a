import type { IncomingMessage, ServerResponse } from 'node:http'
import { type CallbackOptions, type Installation, InstallProvider } from '@slack/oauth'
import type { Router } from 'express'
import {
  grantOf,
  INSTALL_TTL_MS,
  type InstallStates,
  installationStoreOf,
  installFailureOf,
  type SlackGrant,
  type SlackGrantBook,
  type SlackInstallFailure,
  stateStoreOf,
} from './install.js'
import { quietLogger } from './quiet-logger.js'
import { slackClientOptions } from './receiver.js'
import { SLACK_SCOPE_NAMES } from './scopes.js'

/** What the person who installs sees at the end. Each writes a whole answer. */
export interface InstallPages {
  success(
    request: IncomingMessage,
    response: ServerResponse,
    told: { readonly grant: SlackGrant; readonly isNew: boolean },
  ): void
  failure(
    request: IncomingMessage,
    response: ServerResponse,
    told: { readonly failure: SlackInstallFailure; readonly code: string },
  ): void
}

export interface SlackInstallerOptions {
  /** Ends in `/api/`. */
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Absolute address of the callback, as registered with Slack. */
  readonly redirectUrl: string
  /** From the root: where a person is sent on to Slack, and where Slack sends them back. */
  readonly paths: { readonly start: string; readonly callback: string }
  readonly states: InstallStates
  readonly book: SlackGrantBook
  readonly pages: InstallPages
  /** Something failed inside the SDK; a code, never text. */
  readonly onFault: (code: string) => void
}

/** The two ends of an install of one app (docs.slack.dev/authentication/installing-with-oauth). */
export function addSlackInstaller(options: SlackInstallerOptions, router: Router): void {
  const novelty = new WeakMap<Installation, boolean>()
  const provider = new InstallProvider({
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    stateStore: stateStoreOf(options.states),
    stateCookieExpirationSeconds: INSTALL_TTL_MS / 1_000,
    installationStore: installationStoreOf(options.book, (installation, isNew) =>
      novelty.set(installation, isNew),
    ),
    // Our own page comes before; this address goes straight to Slack.
    directInstall: true,
    authVersion: 'v2',
    authorizationUrl: new URL('../oauth/v2/authorize', options.apiUrl).href,
    clientOptions: slackClientOptions(options.apiUrl),
    logger: quietLogger(options.onFault),
  })
  const callbacks: CallbackOptions = {
    success: (installation, _options, request, response) =>
      options.pages.success(request, response, {
        grant: grantOf(installation),
        isNew: novelty.get(installation) ?? true,
      }),
    failure: (error, _options, request, response) =>
      options.pages.failure(request, response, installFailureOf(error, queryErrorOf(request))),
  }
  const asked = { scopes: [...SLACK_SCOPE_NAMES], redirectUri: options.redirectUrl }
  router.get(options.paths.start, (request, response) =>
    provider.handleInstallPath(request, response, undefined, asked),
  )
  router.get(options.paths.callback, (request, response) =>
    provider.handleCallback(request, response, callbacks),
  )
}

function queryErrorOf(request: IncomingMessage): string | null {
  return new URL(request.url ?? '/', 'http://localhost').searchParams.get('error')
}
