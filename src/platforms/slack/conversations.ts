import { z } from 'zod'
import type { DescribeResult, Fault, InstallationRef, Target } from '../../deliver/platform.js'
import type { SlackCall } from './call.js'

const Channel = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  locale: z.string().nullish(),
  is_im: z.boolean().optional(),
  is_member: z.boolean().optional(),
  is_archived: z.boolean().optional(),
})
const Conversation = z.object({ channel: Channel })

/**
 * What Slack says a conversation is. A group DM has more than one reader: it is a channel. Without the scope to ask, the
 * letter of its id must do (D: direct): an app that may only write still delivers.
 */
export async function describe(
  call: SlackCall,
  installation: InstallationRef,
  workspace: string,
  conversationId: string,
): Promise<DescribeResult> {
  const answer = await call({ installation, workspace }, 'conversations.info', {
    channel: conversationId,
    include_locale: true,
  })
  if (answer.kind === 'installation_dead' && answer.code === 'missing_scope')
    return toFacts({ id: conversationId, is_im: conversationId.startsWith('D') })
  if (answer.kind !== 'answer') return answer
  const parsed = Conversation.safeParse(answer.body)
  return parsed.success ? toFacts(parsed.data.channel) : { kind: 'unknown', code: 'unreadable_answer' }
}

/** Opens (or finds) the direct conversation with a person. Slack answers the same one every time. */
export async function openDirect(
  call: SlackCall,
  installation: InstallationRef,
  workspace: string,
  personId: string,
): Promise<DescribeResult> {
  const answer = await call({ installation, workspace }, 'conversations.open', {
    users: personId,
    return_im: true,
  })
  if (answer.kind !== 'answer') return answer
  const parsed = Conversation.safeParse(answer.body)
  if (!parsed.success) return { kind: 'unknown', code: 'unreadable_answer' }
  return toFacts({ ...parsed.data.channel, is_im: true })
}

function toFacts(channel: z.infer<typeof Channel>): DescribeResult {
  const isDirect = channel.is_im === true
  return {
    kind: 'facts',
    conversationId: channel.id,
    surface: isDirect ? 'direct' : 'channel',
    isMember: isDirect ? null : (channel.is_member ?? null),
    isArchived: channel.is_archived === true,
    isTopicGroup: false,
    name: isDirect ? null : (channel.name ?? null),
    locale: channel.locale ?? null,
  }
}

const User = z.object({ user: z.object({ locale: z.string().min(1) }) })

/** A person's language, or null. Any fault is null too: a greeting in the default language beats a late answer. */
export async function personLocale(
  call: SlackCall,
  installation: InstallationRef,
  workspace: string,
  personId: string,
): Promise<string | null> {
  const answer = await call({ installation, workspace }, 'users.info', {
    user: personId,
    include_locale: true,
  })
  return answer.kind === 'answer' ? (User.safeParse(answer.body).data?.user.locale ?? null) : null
}

/** Refusals that mean there is nothing left to clear. */
const NOTHING_TO_CLEAR: ReadonlySet<string> = new Set([
  'no_reaction',
  'message_not_found',
  'thread_not_found',
])

/** Takes away the reaction and the "is thinking" line a producer left. Both are tried; the first fault is returned. */
export async function clearAcknowledgement(
  call: SlackCall,
  target: Target,
  left: {
    readonly reaction: { readonly message: string; readonly name: string } | null
    readonly status: boolean
  },
): Promise<Fault | null> {
  const channel = target.conversationId
  const answers = [
    left.reaction &&
      (await call(target, 'reactions.remove', {
        channel,
        timestamp: left.reaction.message,
        name: left.reaction.name,
      })),
    left.status &&
      target.anchor !== null &&
      (await call(target, 'assistant.threads.setStatus', {
        channel_id: channel,
        thread_ts: target.anchor,
        status: '',
      })),
  ]
  for (const answer of answers) {
    if (answer && answer.kind !== 'answer' && !NOTHING_TO_CLEAR.has(answer.code)) return answer
  }
  return null
}
