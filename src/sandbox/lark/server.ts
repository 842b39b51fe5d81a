import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, listenOnLoopback } from '../loopback.js'
import { answer, type LarkAnswer, type LarkCall } from './call.js'
import { createControls, type LarkControls } from './controls.js'
import { createPace, NO_PACE, type PaceLimits } from './pace.js'
import type { World } from './records.js'
import { LarkRefusal, REFUSALS, refusalText } from './refusal.js'
import { readCall } from './request.js'
import { matchRoute, type Route, routes } from './routes.js'
import type { LarkSeed } from './seed.js'
import type { BeforeCommit } from './send.js'
import { sessionOf } from './tokens.js'
import { createWorld, newLogId } from './world.js'

/** One call in the hands of an interceptor. `handle` does the call's work, once; the answer is not sent yet. */
export interface Exchange {
  readonly call: LarkCall
  readonly handle: () => Promise<LarkAnswer>
  readonly response: ServerResponse
}

/** Stands before every call, e.g. to inject faults. Returns the answer to send, or null when it took the response over. */
export type Interceptor = (exchange: Exchange) => Promise<LarkAnswer | null>

export interface LarkServerOptions extends LarkSeed {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Milliseconds since the Unix epoch. */
  readonly clock?: () => number
  /** Rate limits; none when left out. */
  readonly pace?: PaceLimits
  readonly intercept?: Interceptor
  readonly beforeCommit?: BeforeCommit
  /** The platform's `app_ticket` push, after a resend was asked for. */
  readonly onTicket?: (appId: string, ticket: string) => void
}

export interface LarkServer extends LarkControls {
  /** `http://127.0.0.1:PORT`, what a client takes as its domain. */
  readonly url: string
  readonly world: World
  close(): Promise<void>
}

/** Starts a Lark open platform on loopback that refuses what the real one refuses. State is in memory. */
export async function createLarkServer(options: LarkServerOptions): Promise<LarkServer> {
  const world = createWorld(options, options.clock ?? Date.now)
  const pace = options.pace === undefined ? NO_PACE : createPace(options.pace, world.now)
  const all = routes({
    pace,
    beforeCommit: options.beforeCommit ?? (async () => {}),
    onTicket: options.onTicket ?? (() => {}),
  })
  const intercept = options.intercept ?? ((exchange) => exchange.handle())
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const match = matchRoute(all, request.method ?? 'GET', path)
    const call = await readCall(request, match?.route.name ?? 'unknown', match?.params ?? {})
    const handle = () => refusing(() => perform(world, call, match?.route ?? null, pace))
    const result = await intercept({ call, handle, response })
    if (result !== null) write(response, result)
  }
  const port = await listenOnLoopback(server, options.port ?? 0)
  return {
    ...createControls(world),
    url: `http://127.0.0.1:${port}`,
    world,
    close: () => closeServer(server),
  }
}

async function perform(
  world: World,
  call: LarkCall,
  route: Route | null,
  pace: { app(appId: string, tenant: string): void },
): Promise<LarkAnswer> {
  if (route === null) throw new LarkRefusal(404)
  if ('open' in route) return route.open(world, call)
  const session = sessionOf(world, call)
  if (session.tenant.monthlyCalls !== null) {
    if (session.tenant.monthlyCalls <= 0) throw new LarkRefusal(99991403)
    session.tenant.monthlyCalls -= 1
  }
  pace.app(session.app.id, session.tenant.key)
  if ('whole' in route) return route.whole(session)
  const { scopes: granted } = session.app
  if (granted !== null && !route.scopes.some((scope) => granted.has(scope))) {
    throw new LarkRefusal(99991672, `[${route.scopes.join(', ')}]`)
  }
  return answer({ code: 0, msg: 'success', data: await route.handle(world, call, session) })
}

async function refusing(work: () => Promise<LarkAnswer>): Promise<LarkAnswer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LarkRefusal)) throw error
    return refusalAnswer(error)
  }
}

/** A refusal as it goes over the wire; a rate limit names its reset, in seconds (4.2). */
export function refusalAnswer(refusal: LarkRefusal): LarkAnswer {
  const { status } = REFUSALS[refusal.code]
  const headers =
    refusal.code === 99991400 ? { 'x-ogw-ratelimit-limit': '50', 'x-ogw-ratelimit-reset': '1' } : {}
  const logId = newLogId()
  return {
    status,
    headers,
    body: { code: refusal.code, msg: refusalText(refusal), error: { log_id: logId } },
  }
}

/** Sends an answer as the platform does: JSON and a log id. */
export function write(response: ServerResponse, { status, headers, body }: LarkAnswer): void {
  if (response.destroyed) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-tt-logid': newLogId(),
    ...headers,
  })
  response.end(text)
}
