import {
  createLarkServer,
  type LarkAnswer,
  type LarkCall,
  type LarkServer,
  type LarkServerOptions,
} from '../../../src/sandbox/lark/index.js'
import { createFaultScript, type LarkFaults, play } from './faults.js'
import { SEED } from './seed.js'

/** One call as it was seen, in the order of arrival. */
export interface LoggedCall extends LarkCall {
  /** By the server's clock, ms. */
  readonly atMs: number
  /** The answer when one was sent; null for calls whose connection a fault took over, and while one is running. */
  answer: LarkAnswer | null
  /** The kind of the fault that met it. */
  fault: string | null
}

/** A strict Lark server with scripted faults, a log of calls and counters. */
export interface LarkFake extends LarkServer {
  readonly faults: LarkFaults
  readonly calls: readonly LoggedCall[]
  /** Calls of one API, or all but the token endpoints when no name is given. */
  count(name?: string): number
  /** How often each token was used. */
  tokenUses(): ReadonlyMap<string, number>
  /** Forgets the log, not the state. */
  clearLog(): void
}

/** Starts the fake on a free port, by default with the organisation of `seed.ts`. Close it in `afterEach`. */
export async function startLarkFake(options: Partial<LarkServerOptions> = {}): Promise<LarkFake> {
  const faults = createFaultScript()
  const calls: LoggedCall[] = []
  const clock = options.clock ?? Date.now
  const server = await createLarkServer({
    ...SEED,
    ...options,
    beforeCommit: async (call) => {
      const fault = faults.take(call, 'commit')
      if (fault?.kind === 'hold') await fault.until
      await options.beforeCommit?.(call)
    },
    intercept: async (exchange) => {
      const fault = faults.take(exchange.call, 'arrival')
      const logged: LoggedCall = { ...exchange.call, atMs: clock(), answer: null, fault: fault?.kind ?? null }
      calls.push(logged)
      const answer = fault === null ? await exchange.handle() : await play(fault, exchange)
      logged.answer = answer
      return answer
    },
  })
  return {
    ...server,
    faults,
    calls,
    count: (name) =>
      calls.filter((call) => (name === undefined ? !call.name.startsWith('auth.') : call.name === name))
        .length,
    tokenUses: () => {
      const uses = new Map<string, number>()
      for (const { token } of calls) if (token !== null) uses.set(token, (uses.get(token) ?? 0) + 1)
      return uses
    },
    clearLog: () => {
      calls.length = 0
    },
  }
}
