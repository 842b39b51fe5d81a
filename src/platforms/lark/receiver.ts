import express, { type Request, type Response, type Router } from 'express'
import type { JsonObject } from '../../render/part.js'
import { type LarkEventKeys, verifyLarkRequest } from './verify.js'

/** Largest event taken, in bytes. Lark's messages stay under 150 KB (im-v1/message/create), encrypted a third more. */
export const MAX_LARK_BODY_BYTES = 1_000_000

/** Lark counts an event as lost after 3 s (open.feishu.cn, event-subscription-guide) and delivers it again. */
const ANSWER_WITHIN_MS = 2_500

/** Handles one verified body; what it returns goes back to Lark. A throw makes Lark deliver it again. */
export type LarkInbox = (body: unknown) => Promise<JsonObject | null>

/** Which signed requests were taken, on whatever process. */
export interface LarkReplays {
  has(once: string): Promise<boolean>
  add(once: string): Promise<void>
}

export interface LarkReceiverOptions {
  readonly keys: LarkEventKeys
  /** From the root. */
  readonly path: string
  readonly onBody: LarkInbox
  readonly replays: LarkReplays
  /** Something was refused or failed; a code, never text. */
  readonly onFault: (code: string) => void
  /** Milliseconds since the epoch, UTC. */
  readonly nowMs: () => number
  readonly answerWithinMs?: number
}

/**
 * The door for events and card callbacks of one app, on a router to mount at the root. Ours, because the SDK's own
 * signs a body it has serialised again, checks neither token nor time, and takes the process down on a bad one.
 */
export function addLarkReceiver(options: LarkReceiverOptions, router: Router): void {
  const underWay = new Set<string>()
  const raw = express.raw({ type: () => true, limit: MAX_LARK_BODY_BYTES, inflate: false })
  router.post(options.path, raw, async (request: Request, response: Response) => {
    const verified = verifyLarkRequest(options.keys, requestOf(request), options.nowMs())
    switch (verified.kind) {
      case 'challenge':
        response.json({ challenge: verified.challenge })
        return
      case 'refused':
        options.onFault(verified.code)
        response.status(verified.status).json({ code: verified.code })
        return
      case 'body':
        await takeOnce(options, underWay, verified, response)
        return
      default:
        throw new TypeError(`unhandled request: ${JSON.stringify(verified satisfies never)}`)
    }
  })
}

function requestOf(request: Request) {
  const body: unknown = request.body
  return {
    timestamp: request.get('x-lark-request-timestamp') ?? null,
    nonce: request.get('x-lark-request-nonce') ?? null,
    signature: request.get('x-lark-signature') ?? null,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  }
}

/** A request whose handling failed may come again; one that was taken may not. */
async function takeOnce(
  options: LarkReceiverOptions,
  underWay: Set<string>,
  { body, once }: { readonly body: unknown; readonly once: string | null },
  response: Response,
): Promise<void> {
  if (once === null) {
    await answerInTime(options, options.onBody(body), response)
    return
  }
  if (underWay.has(once) || (await options.replays.has(once))) {
    options.onFault('replayed')
    response.status(409).json({ code: 'replayed' })
    return
  }
  underWay.add(once)
  const handled = options
    .onBody(body)
    .then(async (answer) => {
      await options.replays.add(once)
      return answer
    })
    .finally(() => underWay.delete(once))
  await answerInTime(options, handled, response)
}

/** What takes too long goes on; Lark is told to ask again, and then finds it done. */
async function answerInTime(
  options: LarkReceiverOptions,
  handled: Promise<JsonObject | null>,
  response: Response,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, options.answerWithinMs ?? ANSWER_WITHIN_MS, 'late')
  })
  try {
    const answer = await Promise.race([handled, late])
    if (answer === 'late') {
      options.onFault('answer_late')
      handled.catch(() => options.onFault('event_failed'))
      response.status(503).json({ code: 'answer_late' })
      return
    }
    response.json(answer ?? {})
  } catch (error) {
    options.onFault(codeOf(error))
    response.status(503).json({ code: 'event_failed' })
  } finally {
    clearTimeout(timer)
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^\w{1,100}$/.test(code) ? code : 'event_failed'
}
