import type { AppsManifestValidateArguments } from '@slack/web-api'
import { SLACK_EVENTS, SLACK_SCOPES } from './scopes.js'

export type SlackManifest = AppsManifestValidateArguments['manifest']

export interface SlackManifestOptions {
  readonly name: string
  /** Absolute addresses of our doors, or null: the app uses Socket Mode and is installed by hand. */
  readonly urls: { readonly events: string; readonly callback: string } | null
  /** Tokens that end after 12 hours and are refreshed. Cannot be undone for an app (docs.slack.dev, token rotation). */
  readonly rotation: boolean
  /** Whether an organization may install it for all its workspaces. */
  readonly orgWide: boolean
}

/** The manifest of an app with exactly the scopes and events we use (docs.slack.dev/reference/app-manifest). */
export function slackManifest({ name, urls, rotation, orgWide }: SlackManifestOptions): SlackManifest {
  return {
    _metadata: { major_version: 2 },
    display_information: {
      name: name.slice(0, 35),
      description: 'Answers of your agents, in the conversation that asked.',
    },
    features: { bot_user: { display_name: botName(name), always_online: true } },
    oauth_config: {
      ...(urls === null ? {} : { redirect_urls: [urls.callback] }),
      scopes: { bot: SLACK_SCOPES.map((scope) => scope.name) },
    },
    settings: {
      event_subscriptions: {
        ...(urls === null ? {} : { request_url: urls.events }),
        bot_events: [...SLACK_EVENTS],
      },
      // Buttons under messages come in by the same door as events.
      interactivity: { is_enabled: true, ...(urls === null ? {} : { request_url: urls.events }) },
      org_deploy_enabled: orgWide,
      socket_mode_enabled: urls === null,
      token_rotation_enabled: rotation,
    },
  } satisfies SlackManifest
}

/** Bot names take a-z, 0-9, hyphen, underscore and dot, at most 80. */
function botName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return plain === '' ? 'lastword' : plain
}
