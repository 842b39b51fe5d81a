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
  close(gate: Gate): Promise<void>
  refresh(): Promise<void>
}

const REFRESH_MS = 500

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
      closed.set(gate.scope, Math.max(gate.notBeforeMs, closed.get(gate.scope) ?? 0))
      await ledger.closeGate(gate)
    },

    async refresh() {
      if (now() - refreshedAtMs < REFRESH_MS) return
      refreshedAtMs = now()
      const gates = await ledger.gates()
      const own = [...closed].filter(([, notBeforeMs]) => notBeforeMs > now())
      closed = new Map([...own, ...gates.map((gate) => [gate.scope, gate.notBeforeMs] as const)])
    },
  }
}
