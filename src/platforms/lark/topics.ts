import type { Fault, InstallationRef } from '../../deliver/platform.js'
import { isLarkId } from './address.js'
import { beforeSending } from './classify.js'
import type { LarkCaller } from './client-call.js'

/** Where a message stands, as Lark tells it. */
export interface MessagePlace {
  readonly kind: 'place'
  readonly chatId: string | null
  readonly topicId: string | null
}

/** Reads which chat and topic a message is in, recalled or not. */
export async function placeOfMessage(
  caller: LarkCaller,
  installation: InstallationRef,
  messageId: string,
): Promise<MessagePlace | Fault> {
  const called = await caller.call(installation, ({ im, as }) =>
    im.message.get({ path: { message_id: messageId } }, as),
  )
  if (called.kind !== 'ok') return beforeSending(called)
  const message = called.value.data?.items?.[0]
  return { kind: 'place', chatId: message?.chat_id ?? null, topicId: message?.thread_id ?? null }
}

/**
 * A message of a topic that can be answered: its oldest one that stands, so that an answer stays in the topic when
 * the asking message was recalled. A topic id itself is refused as a reply target (99992354).
 *
 * @param except the message already found to be gone
 */
export async function livingMessageOf(
  caller: LarkCaller,
  installation: InstallationRef,
  topicId: string,
  except: string | null,
): Promise<{ readonly kind: 'message'; readonly id: string } | Fault> {
  const called = await caller.call(installation, ({ im, as }) =>
    im.message.list(
      {
        params: {
          container_id_type: 'thread',
          container_id: topicId,
          sort_type: 'ByCreateTimeAsc',
          page_size: 50,
        },
      },
      as,
    ),
  )
  if (called.kind !== 'ok') return topicFault(called)
  const living = (called.value.data?.items ?? []).find(
    ({ message_id: id, deleted }) =>
      deleted !== true && id !== except && id !== undefined && isLarkId('message', id),
  )
  if (living?.message_id === undefined) return { kind: 'anchor_dead', fallback: 'none', code: 'topic_empty' }
  return { kind: 'message', id: living.message_id }
}

/** A refusal to list a topic means that the topic is gone; anything passing keeps its kind. */
function topicFault(fault: Fault): Fault {
  const gone = fault.kind === 'content' || fault.kind === 'anchor_dead' || fault.kind === 'bug'
  return gone ? { kind: 'anchor_dead', fallback: 'none', code: fault.code } : beforeSending(fault)
}
