import { z } from 'zod'

/** Somebody pressed a button under a message of ours. Ids as Slack wrote them. */
export interface SlackPress {
  /** The button's name, as `action_id` carries it. */
  readonly action: string
  /** What we put into the button: the delivery's id. */
  readonly value: string
  readonly person: string
  readonly workspace: string | null
  readonly enterprise: string | null
  readonly channel: string
  readonly message: string
  /** Good for answers to this person within 30 minutes; a secret. */
  readonly responseUrl: string | null
}

const id = z.string().min(1).max(200)

/** docs.slack.dev/reference/interaction-payloads/block_actions-payload (2026-08). */
const BlockActions = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id, team_id: id.nullish() }),
  team: z.object({ id }).nullish(),
  enterprise: z.object({ id }).nullish(),
  container: z.object({ message_ts: id, channel_id: id }),
  response_url: z.string().max(2_000).nullish(),
  actions: z.array(z.object({ action_id: id, value: z.string().max(2_000).nullish() })).min(1),
})

/** Reads an interaction; null for everything that is no press of a button with a value. */
export function parseSlackPress(body: unknown): SlackPress | null {
  const read = BlockActions.safeParse(body)
  const [action] = read.data?.actions ?? []
  if (!read.success || action === undefined || action.value == null) return null
  const { user, team, enterprise, container, response_url } = read.data
  return {
    action: action.action_id,
    value: action.value,
    person: user.id,
    workspace: team?.id ?? user.team_id ?? null,
    enterprise: enterprise?.id ?? null,
    channel: container.channel_id,
    message: container.message_ts,
    responseUrl: response_url ?? null,
  }
}
