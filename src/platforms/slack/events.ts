import { z } from 'zod'

/** Whom an event is about. Ids as Slack wrote them. */
export interface SlackEventSource {
  readonly eventId: string
  /** When it happened, ms since the epoch, UTC; Slack tells whole seconds. */
  readonly happenedAtMs: number
  readonly workspace: string | null
  readonly enterprise: string | null
  /** Whether the app reached this workspace through an organization-wide install. */
  readonly isOrgWide: boolean
}

/** What an event changes for us. */
export type SlackChange =
  | { readonly kind: 'uninstalled' }
  | { readonly kind: 'tokens_revoked'; readonly botUserIds: readonly string[] }
  | { readonly kind: 'workspaces_granted'; readonly workspaces: readonly string[] }
  | { readonly kind: 'workspaces_revoked'; readonly workspaces: readonly string[] }
  | { readonly kind: 'conversation_closed'; readonly channel: string; readonly code: ConversationEnd }
  | { readonly kind: 'conversation_opened'; readonly channel: string; readonly userId: string | null }
  | { readonly kind: 'conversation_renamed'; readonly channel: string; readonly name: string }
  /** Nothing for us in it; it still tells which workspace is served by which installation. */
  | { readonly kind: 'other' }

export type ConversationEnd = 'is_archived' | 'channel_not_found' | 'not_in_channel'

export interface SlackEvent extends SlackEventSource {
  readonly change: SlackChange
}

const Envelope = z.object({
  type: z.literal('event_callback'),
  event_id: z.string().min(1).max(200),
  event_time: z.number().int().min(0).max(1e11),
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  is_enterprise_install: z.boolean().nullish(),
  authorizations: z
    .array(
      z.object({
        team_id: z.string().nullish(),
        enterprise_id: z.string().nullish(),
        is_enterprise_install: z.boolean().nullish(),
      }),
    )
    .nullish(),
  event: z.looseObject({ type: z.string() }),
})

const Tokens = z.object({ tokens: z.object({ bot: z.array(z.string()).nullish() }) })
const Workspaces = z.object({ team_ids: z.array(z.string()) })
const Channel = z.object({ channel: z.string().min(1) })
const Joined = z.object({ channel: z.string().min(1), user: z.string() })
const Renamed = z.object({ channel: z.object({ id: z.string().min(1), name: z.string() }) })

/**
 * Reads an Events API envelope (docs.slack.dev/apis/events-api). Null when it is none; an event we do not know or
 * cannot read changes nothing.
 */
export function parseSlackEvent(body: unknown): SlackEvent | null {
  const envelope = Envelope.safeParse(body)
  if (!envelope.success) return null
  const { event, ...rest } = envelope.data
  const authorization = rest.authorizations?.[0]
  return {
    eventId: rest.event_id,
    happenedAtMs: rest.event_time * 1_000,
    workspace: rest.team_id ?? authorization?.team_id ?? null,
    enterprise: rest.enterprise_id ?? authorization?.enterprise_id ?? null,
    isOrgWide: authorization?.is_enterprise_install ?? rest.is_enterprise_install ?? false,
    change: changeOf(event) ?? { kind: 'other' },
  }
}

function changeOf(event: { readonly type: string }): SlackChange | null {
  switch (event.type) {
    case 'app_uninstalled':
      return { kind: 'uninstalled' }
    case 'tokens_revoked': {
      const read = Tokens.safeParse(event)
      return read.success ? { kind: 'tokens_revoked', botUserIds: read.data.tokens.bot ?? [] } : null
    }
    case 'team_access_granted':
    case 'team_access_revoked': {
      const read = Workspaces.safeParse(event)
      const kind = event.type === 'team_access_granted' ? 'workspaces_granted' : 'workspaces_revoked'
      return read.success ? { kind, workspaces: read.data.team_ids } : null
    }
    case 'channel_archive':
    case 'group_archive':
      return closed(event, 'is_archived')
    case 'channel_deleted':
    case 'group_deleted':
      return closed(event, 'channel_not_found')
    case 'channel_left':
    case 'group_left':
      return closed(event, 'not_in_channel')
    case 'channel_unarchive':
    case 'group_unarchive': {
      const read = Channel.safeParse(event)
      return read.success ? { kind: 'conversation_opened', channel: read.data.channel, userId: null } : null
    }
    case 'member_joined_channel': {
      const read = Joined.safeParse(event)
      if (!read.success) return null
      return { kind: 'conversation_opened', channel: read.data.channel, userId: read.data.user }
    }
    case 'channel_rename':
    case 'group_rename': {
      const read = Renamed.safeParse(event)
      if (!read.success) return null
      return { kind: 'conversation_renamed', channel: read.data.channel.id, name: read.data.channel.name }
    }
    default:
      return null
  }
}

function closed(event: unknown, code: ConversationEnd): SlackChange | null {
  const read = Channel.safeParse(event)
  return read.success ? { kind: 'conversation_closed', channel: read.data.channel, code } : null
}
