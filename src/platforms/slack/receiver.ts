import { App, ExpressReceiver, type ReceiverEvent, SocketModeReceiver } from '@slack/bolt'
import type { NextFunction, Request, Response, Router } from 'express'
import { quietLogger } from './quiet-logger.js'

/** Largest event or interaction taken, in bytes. Slack's are a few KB; view submissions stay under 250 KB. */
export const MAX_SLACK_BODY_BYTES = 1_000_000

/** How far a request's timestamp may be from our clock, in seconds: Slack says five minutes for the past. */
const MAX_AGE_SECONDS = 300
/** Bolt takes any timestamp from the future, which would make a captured request good for ever (platforms 2.4). */
const MAX_AHEAD_SECONDS = 60

/** Where what Slack sends goes. */
export interface SlackInbox {
  /** Ends in `/api/`. */
  readonly apiUrl: string
  /** Every verified body: events, interactions, commands. A throw makes Slack deliver it again. */
  readonly onBody: (body: unknown) => Promise<void>
  /** Something failed inside the SDK; a code, never text. */
  readonly onFault: (code: string) => void
}

export interface SlackReceiverOptions extends SlackInbox {
  readonly signingSecret: string
  /** From the root: `/slack/events`. */
  readonly path: string
  /** Milliseconds since the epoch, UTC. */
  readonly nowMs: () => number
}

/**
 * The door for signed requests of one app, a router to mount at the root. Bolt checks the signature over the raw body
 * and the age; what is too large, from the future or unsigned never reaches `onBody`.
 */
export function createSlackReceiver(options: SlackReceiverOptions, router: Router): void {
  router.post(options.path, refuseOddTimestamps(options.nowMs), refuseLargeBodies)
  const receiver = new ExpressReceiver({
    signingSecret: options.signingSecret,
    endpoints: options.path,
    bodyLimit: MAX_SLACK_BODY_BYTES,
    // Answer after the handling, so that what failed is delivered again.
    processBeforeResponse: true,
    processEventErrorHandler: async ({ response }) => {
      options.onFault('event_not_handled')
      if (!response.headersSent) response.writeHead(500).end()
      return false
    },
    logger: quietLogger(options.onFault),
    router,
  })
  new Inbox(receiver, options)
}

function refuseOddTimestamps(nowMs: () => number) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.get('x-slack-request-timestamp') ?? ''
    const aheadSeconds = Number(given) - nowMs() / 1_000
    const isFresh = aheadSeconds <= MAX_AHEAD_SECONDS && aheadSeconds >= -MAX_AGE_SECONDS
    if (/^\d{1,12}$/.test(given) && isFresh) next()
    else response.status(401).end()
  }
}

/** A body that is not read to its end would be taken for the next request of the connection. */
function refuseLargeBodies(request: Request, response: Response, next: NextFunction): void {
  response.on('finish', () => {
    if (!request.complete) request.destroy()
  })
  if (Number(request.get('content-length') ?? 0) > MAX_SLACK_BODY_BYTES) {
    response.status(413).set('Connection', 'close').end()
  } else next()
}

export interface SlackSocket {
  start(): Promise<void>
  stop(): Promise<void>
}

/** Events over a socket that we open (Socket Mode), for hosts that cannot be reached from outside. */
export function createSlackSocket(options: SlackInbox & { readonly appToken: string }): SlackSocket {
  const receiver = new SocketModeReceiver({
    appToken: options.appToken,
    logger: quietLogger(options.onFault),
    installerOptions: { clientOptions: slackClientOptions(options.apiUrl) },
  })
  new Inbox(receiver, options)
  return {
    start: async () => void (await receiver.start()),
    stop: async () => void (await receiver.stop()),
  }
}

/**
 * Bolt's app with one listener for everything, answered when that is done. Bolt's own dispatch would hold a client
 * for every token it ever saw, answer events before they are handled, and leave what it does not know unanswered.
 */
class Inbox extends App {
  readonly #onBody: SlackInbox['onBody']

  constructor(receiver: ExpressReceiver | SocketModeReceiver, options: SlackInbox) {
    super({
      receiver,
      logger: quietLogger(options.onFault),
      clientOptions: slackClientOptions(options.apiUrl),
      authorize: async () => ({}),
      ignoreSelf: false,
      convoStore: false,
    })
    this.#onBody = options.onBody
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    await this.#onBody(event.body)
    await event.ack()
  }
}

/** A fresh object each time: the SDK writes a token into one it is given twice (platforms 2.3). */
export function slackClientOptions(slackApiUrl: string) {
  return { slackApiUrl, timeout: 10_000, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true }
}
