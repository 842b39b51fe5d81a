import { createHash } from 'node:crypto'
import type { Marker } from '../../deliver/platform.js'

/**
 * How a message is offered. Each way has its own keys: whether create and reply share them is undocumented, and a
 * plain reply after a refused reply in a topic is another request.
 */
export type SendForm = 'create' | 'reply' | 'reply_in_thread'

/**
 * The `uuid` of one part in one rendering: the same for every attempt, another for any other message. 43 characters;
 * Lark takes 50 and remembers a key for one hour (open.feishu.cn, server-docs/im-v1/message/create, 2025-08).
 */
export function idempotencyKey({ deliveryId, partIndex, rendering }: Marker, form: SendForm): string {
  return createHash('sha256')
    .update(JSON.stringify(['lastword', deliveryId, partIndex, rendering, form]))
    .digest('base64url')
}
