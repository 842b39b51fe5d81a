import { App, ExpressReceiver, SocketModeReceiver } from '@slack/bolt'
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
  router.post(options.path, refuseOddTimestamps(options.nowMs))
  const receiver = new ExpressReceiver({
    signingSecret: options.signingSecret,
    endpoints: options.path,
    bodyLimit: MAX_SLACK_BODY_BYTES,
    // Answer after the handling, so that what failed is delivered again.
    processBeforeResponse: true,
    unhandledRequestTimeoutMillis: 2_500,
    logger: quietLogger(options.onFault),
    router,
  })
  createBoltApp(receiver, options)
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
  createBoltApp(receiver, options)
  return {
    start: async () => void (await receiver.start()),
    stop: async () => void (await receiver.stop()),
  }
}

function createBoltApp(receiver: ExpressReceiver | SocketModeReceiver, options: SlackInbox): void {
  const app = new App({
    receiver,
    logger: quietLogger(options.onFault),
    clientOptions: slackClientOptions(options.apiUrl),
    // Our handler looks installations up itself; Bolt would keep a client for every token it ever saw.
    authorize: async () => ({}),
    ignoreSelf: false,
    convoStore: false,
  })
  app.use(async ({ body }) => options.onBody(body))
}

/** A fresh object each time: the SDK writes a token into one it is given twice (platforms 2.3). */
export function slackClientOptions(slackApiUrl: string) {
  return { slackApiUrl, timeout: 10_000, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true }
}
