import type { DescribeResult, Fault, InstallationRef } from '../../deliver/platform.js'
import { isLarkId } from './address.js'
import type { LarkCaller } from './client-call.js'

/** The app lacks the permission for a call; open.feishu.cn, server-docs/api-call-guide/generic-error-code (2026-04). */
const MAY_NOT_ASK = '99991672'

/**
 * What Lark says a chat is. `chat_mode` and `chat_type` decide whether it is direct, never its id; a chat that says
 * neither is taken for a group, which shows less, as is one that the app may not ask about.
 */
export async function describeChat(
  caller: LarkCaller,
  installation: InstallationRef,
  conversationId: string,
): Promise<DescribeResult> {
  if (isLarkId('person', conversationId)) return directWith(conversationId)
  if (!isLarkId('chat', conversationId)) return { kind: 'bug', code: 'bad_conversation_id' }
  const called = await caller.call(installation, ({ im, as }) =>
    im.chat.get({ path: { chat_id: conversationId } }, as),
  )
  if (called.kind !== 'ok' && called.code !== MAY_NOT_ASK) return called
  const chat = called.kind === 'ok' ? (called.value.data ?? {}) : {}
  const isDirect = chat.chat_mode === 'p2p' || chat.chat_type === 'p2p'
  return {
    kind: 'facts',
    conversationId,
    surface: isDirect ? 'direct' : 'channel',
    // The call says nothing of it; a bot outside the chat is refused (232011) or finds out when it sends (230002).
    isMember: null,
    isArchived: chat.chat_status !== undefined && chat.chat_status !== 'normal',
    isTopicGroup:
      chat.chat_mode === 'topic' || ('group_message_type' in chat && chat.group_message_type === 'thread'),
    name: chat.name === undefined || chat.name === '' ? null : chat.name,
    locale: null,
  }
}

/**
 * The direct conversation with a person. Lark has no call that opens one without a message: it is addressed by the
 * person's open id, and the first message opens it. So no call is made, and the id of the conversation is the open id.
 */
export async function openDirectWith(personId: string): Promise<DescribeResult> {
  return isLarkId('person', personId) ? directWith(personId) : { kind: 'bug', code: 'bad_person_id' }
}

function directWith(openId: string): DescribeResult {
  return {
    kind: 'facts',
    conversationId: openId,
    surface: 'direct',
    isMember: null,
    isArchived: false,
    isTopicGroup: false,
    name: null,
    locale: null,
  }
}

/** Takes this app's reaction of that name off a message. None there, or no message, is a success. */
export async function removeReaction(
  caller: LarkCaller,
  installation: InstallationRef,
  reaction: { readonly message: string; readonly name: string },
): Promise<Fault | null> {
  if (!isLarkId('message', reaction.message)) return { kind: 'bug', code: 'bad_message_id' }
  const path = { message_id: reaction.message }
  const listed = await caller.call(installation, async ({ im, as, appId }) => {
    const params = { reaction_type: reaction.name, page_size: 50 }
    const { data } = await im.messageReaction.list({ path, params }, as)
    return (data?.items ?? []).find(({ operator }) => operator?.operator_id === appId)?.reaction_id
  })
  if (listed.kind !== 'ok') return unlessGone(listed)
  const reactionId = listed.value
  if (reactionId === undefined) return null
  const removed = await caller.call(installation, ({ im, as }) =>
    im.messageReaction.delete({ path: { ...path, reaction_id: encodeURIComponent(reactionId) } }, as),
  )
  return removed.kind === 'ok' ? null : unlessGone(removed)
}

function unlessGone(fault: Fault): Fault | null {
  return fault.kind === 'anchor_dead' ? null : fault
}
