import { backoffMs } from './backoff.js'
import type { Engine } from './engine.js'
import { type GatedCall, gateFor } from './gates.js'
import type { Head } from './ledger.js'
import type { Fault, Target } from './platform.js'

/** How long a refused token, a busy key or an exhausted quota is left alone before the next try, in ms. */
const WAITS = { refusedTokenMs: 60_000, inFlightMs: 2_000, quotaMs: 3_600_000 } as const

/** What a fault means for the delivery as a whole; content and anchors are the part's own matter. */
export type Consequence =
  /** Try again at this time. `countsAsTry`: it lengthens the backoff. */
  | {
      readonly kind: 'wait'
      readonly readyAtMs: number
      readonly countsAsTry: boolean
      readonly isParked: boolean
    }
  /** The installation was parked: nothing until it comes back. */
  | { readonly kind: 'park' }
  /** Nobody can help this delivery without an operator. */
  | { readonly kind: 'dead' }

/** A fault that is not about one part, nor one of which nobody knows what it means. */
export type WholeFault = Exclude<Fault, { kind: 'content' | 'anchor_dead' | 'token' | 'unknown' }>

/** Acts on a fault that is not about one part's content or anchor: closes gates, parks, marks, or finds the next try. */
export async function resolveFault(
  engine: Engine,
  fault: WholeFault,
  target: Pick<Target, 'installation' | 'conversationId'>,
  head: Head,
  call: GatedCall,
): Promise<Consequence> {
  const nowMs = engine.now()
  switch (fault.kind) {
    case 'rate_limited': {
      const gate = gateFor(fault, target, call, nowMs)
      await engine.gates.close(gate)
      engine.emit({
        kind: 'gate_closed',
        installationId: gate.installationId,
        code: gate.code,
        waitMs: gate.notBeforeMs - nowMs,
      })
      return waitUntil(gate.notBeforeMs + staggerMs(engine, fault.scope), false)
    }
    case 'not_sent':
      return waitUntil(nowMs + backoffMs(head.tries + 1, engine.random), true)
    case 'in_flight':
      return waitUntil(nowMs + WAITS.inFlightMs, false)
    case 'installation_dead':
      return installationDead(engine, fault, target, nowMs)
    case 'conversation_dead':
      await engine.ledger.markConversationDead(target.installation.id, target.conversationId, fault.code)
      return { kind: 'dead' }
    case 'bug':
      engine.log.error(
        { deliveryId: head.id, code: fault.code, vendorLogId: fault.vendorLogId },
        'the platform refused a call as malformed',
      )
      return { kind: 'dead' }
    default:
      throw new TypeError(`unhandled fault: ${JSON.stringify(fault satisfies never)}`)
  }
}

/** The token endpoint sends nothing to a chat, whatever it answers; what is not about tokens is a mistake of ours. */
export function ofTokenEndpoint(fault: Fault): WholeFault {
  switch (fault.kind) {
    case 'unknown':
    case 'token':
    case 'in_flight':
      return { kind: 'not_sent', code: fault.code }
    case 'content':
    case 'anchor_dead':
    case 'conversation_dead':
      return { kind: 'bug', code: fault.code }
    default:
      return fault
  }
}

/** Nothing was sent: an unknown answer to a question is asked again like any passing fault. */
export function ofQuestion(fault: Exclude<Fault, { kind: 'token' }>): WholeFault {
  switch (fault.kind) {
    case 'unknown':
      return { kind: 'not_sent', code: fault.code }
    case 'content':
    case 'anchor_dead':
      return { kind: 'bug', code: fault.code }
    default:
      return fault
  }
}

/** A token that was refused again right after a refresh: leave the installation alone for a while. */
export async function refusedTwice(
  engine: Engine,
  code: string,
  installationId: string,
): Promise<Consequence> {
  const notBeforeMs = engine.now() + WAITS.refusedTokenMs
  await engine.gates.close({ scope: installationId, installationId, notBeforeMs, code })
  engine.log.error({ installationId, code }, 'a fresh token is refused')
  return waitUntil(notBeforeMs, false)
}

async function installationDead(
  engine: Engine,
  fault: Extract<Fault, { kind: 'installation_dead' }>,
  target: Pick<Target, 'installation'>,
  nowMs: number,
): Promise<Consequence> {
  const installationId = target.installation.id
  const body = { installationId, code: fault.code, remedy: fault.remedy }
  if (fault.remedy === 'quota') {
    const notBeforeMs = nowMs + WAITS.quotaMs
    const gate = { scope: installationId, installationId, notBeforeMs, code: fault.code }
    if (await engine.gates.close(gate)) {
      await engine.ledger.announce(installationId, { kind: 'installation.quota_exhausted', body })
      engine.log.error(body, "an installation's quota is used up; its deliveries wait")
    }
    return { kind: 'wait', readyAtMs: notBeforeMs, countsAsTry: false, isParked: true }
  }
  if (await engine.ledger.parkInstallation(installationId, fault.code)) {
    await engine.ledger.announce(installationId, { kind: 'installation.parked', body })
    engine.emit({ kind: 'installation_parked', installationId, code: fault.code })
    engine.log.error(body, 'an installation can no longer be written to; its deliveries wait')
  }
  return { kind: 'park' }
}

function waitUntil(readyAtMs: number, countsAsTry: boolean): Consequence {
  return { kind: 'wait', readyAtMs, countsAsTry, isParked: false }
}

/** Lanes of one conversation come back spread out; an installation's are let in slowly by `claim`. */
function staggerMs(engine: Engine, scope: 'conversation' | 'method' | 'app'): number {
  return scope === 'conversation' ? Math.round(engine.random() * 250) : 0
}
