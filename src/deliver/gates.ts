import type { Gate, Ledger } from './ledger.js'
import type { Fault, GateScope, Target } from './platform.js'

/**
 * How long a gate stays closed when the platform asked us to wait without saying for how long, in ms. Source:
 * platforms.md 4.2-4.3 (Lark sends no Retry-After), 1.4 (Slack always does, except in odd answers).
 */
export const DEFAULT_WAIT_MS = { conversation: 2_000, method: 5_000, app: 5_000 } as const satisfies Record<
  GateScope,
  number
>

/** Shortest wait honoured: an answer of 0 still means "not now". */
const MIN_WAIT_MS = 250

/** What kind of call a gate holds back: posts and look-ups have limits of their own. */
export type GatedCall = 'send' | 'find'

/** The gate that a wait closes. An installation's own id is the scope that `claim` knows. */
export function gateFor(
  fault: Extract<Fault, { kind: 'rate_limited' }>,
  target: Pick<Target, 'installation' | 'conversationId'>,
  call: GatedCall,
  nowMs: number,
): Gate {
  const installationId = target.installation.id
  const waitMs = Math.max(MIN_WAIT_MS, fault.retryAfterMs ?? DEFAULT_WAIT_MS[fault.scope])
  const scope =
    call === 'find'
      ? `${installationId}|find`
      : fault.scope === 'conversation'
        ? `${installationId}|${target.conversationId}`
        : installationId
  return { scope, installationId, notBeforeMs: nowMs + waitMs, code: fault.code }
}

/** Gates as this worker knows them: closed by itself at once, by others within `REFRESH_MS`. */
export interface Gates {
  /** How long this call must wait, in ms; 0: it may go. */
  waitMs(target: Pick<Target, 'installation' | 'conversationId'>, call: GatedCall): number
  /** True when the gate had been open for everybody. */
  close(gate: Gate): Promise<boolean>
  refresh(): Promise<void>
  readonly size: () => number
}

const REFRESH_MS = 500

/** Gates kept in memory; beyond it the longest known go first. Forgetting one costs one call that is refused. */
export const MAX_GATES = 20_000

export function createGates(ledger: Pick<Ledger, 'closeGate' | 'gates'>, now: () => number): Gates {
  let closed = new Map<string, number>()
  let refreshedAtMs = Number.NEGATIVE_INFINITY

  return {
    waitMs(target, call) {
      const id = target.installation.id
      const scopes = call === 'find' ? [`${id}|find`] : [id, `${id}|${target.conversationId}`]
      const nowMs = now()
      return Math.max(0, ...scopes.map((scope) => (closed.get(scope) ?? nowMs) - nowMs))
    },

    async close(gate) {
      const knownMs = closed.get(gate.scope) ?? 0
      closed.delete(gate.scope)
      closed.set(gate.scope, Math.max(gate.notBeforeMs, knownMs))
      forgetOldest(closed)
      const wasOpen = await ledger.closeGate(gate)
      return wasOpen && knownMs <= now()
    },

    async refresh() {
      if (now() - refreshedAtMs < REFRESH_MS) return
      refreshedAtMs = now()
      const gates = await ledger.gates()
      const merged = new Map([...closed].filter(([, notBeforeMs]) => notBeforeMs > now()))
      for (const { scope, notBeforeMs } of gates)
        merged.set(scope, Math.max(notBeforeMs, merged.get(scope) ?? 0))
      closed = merged
      forgetOldest(closed)
    },

    size: () => closed.size,
  }
}

function forgetOldest(gates: Map<string, number>): void {
  for (const scope of gates.keys()) {
    if (gates.size <= MAX_GATES) return
    gates.delete(scope)
  }
}
