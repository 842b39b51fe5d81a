/** One permission of the bot, what it is for, and what happens without it. */
export interface SlackScope {
  readonly name: string
  readonly why: string
  /** False: without it the rest works, only this does not. */
  readonly isRequired: boolean
}

/**
 * Exactly the bot scopes our calls need; the manifest and the install page ask for these and no others.
 * Source: docs.slack.dev/reference/methods (each method's page; assistant.threads.setStatus takes chat:write since
 * 2026-03-05).
 */
export const SLACK_SCOPES = [
  {
    name: 'chat:write',
    isRequired: true,
    why: 'to answer, edit and remove its own answers, and clear a status line',
  },
  { name: 'channels:read', isRequired: true, why: 'to know what kind of conversation a public channel is' },
  { name: 'groups:read', isRequired: true, why: 'to know what kind of conversation a private channel is' },
  { name: 'im:read', isRequired: true, why: 'to know a direct conversation' },
  { name: 'mpim:read', isRequired: true, why: 'to know a group conversation' },
  {
    name: 'channels:history',
    isRequired: true,
    why: 'to look for an answer that may have been posted, before posting it again',
  },
  { name: 'groups:history', isRequired: true, why: 'the same in private channels' },
  { name: 'im:history', isRequired: true, why: 'the same in direct conversations' },
  { name: 'mpim:history', isRequired: true, why: 'the same in group conversations' },
  { name: 'im:write', isRequired: false, why: 'to open a direct conversation with a person who is named' },
  { name: 'users:read', isRequired: false, why: "to answer in a person's own language" },
  { name: 'files:write', isRequired: false, why: 'to attach an answer that is too long for messages' },
  { name: 'files:read', isRequired: false, why: 'to find a file that may have been attached' },
  { name: 'reactions:write', isRequired: false, why: 'to take back the reaction that said "working on it"' },
] as const satisfies readonly SlackScope[]

/** What the install page asks for. */
export const SLACK_SCOPE_NAMES: readonly string[] = SLACK_SCOPES.map((scope) => scope.name)

/**
 * Events that keep what we know correct. `app_uninstalled`, `tokens_revoked` and `team_access_*` need no scope, the
 * others the read scopes above. Source: docs.slack.dev/reference/events (each event's page).
 */
export const SLACK_EVENTS = [
  'app_uninstalled',
  'tokens_revoked',
  'team_access_granted',
  'team_access_revoked',
  'channel_archive',
  'channel_unarchive',
  'channel_deleted',
  'channel_left',
  'channel_rename',
  'group_archive',
  'group_unarchive',
  'group_deleted',
  'group_left',
  'group_rename',
  'member_joined_channel',
] as const

/** Scopes we ask for that a token lacks, in our order. */
export function missingScopes(granted: readonly string[]): readonly SlackScope[] {
  return SLACK_SCOPES.filter((scope) => !granted.includes(scope.name))
}
