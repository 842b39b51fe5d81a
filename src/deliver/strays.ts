import type { Engine } from './engine.js'
import type { LaneClaim } from './ledger.js'

/**
 * Finds lanes that are ours by the ledger's word while nobody works on them, and gives them back: the answer to a claim
 * or to a release was lost with its connection. Others never take the lanes of a worker that lives. A lane goes back
 * the second time it is found so, since the first time the answer to its claim may be on its way.
 *
 * @returns looks once, and answers how many lanes were given back
 */
export function createStrays(
  { ledger, workerId, now }: Pick<Engine, 'ledger' | 'workerId' | 'now'>,
  isHeld: (lane: LaneClaim) => boolean,
): () => Promise<number> {
  let suspects: ReadonlySet<string> = new Set()

  return async () => {
    const owned = await ledger.owned(workerId)
    const strays = owned.filter((lane) => !isHeld(lane))
    const sure = strays.filter((lane) => suspects.has(nameOfClaim(lane)))
    suspects = new Set(strays.map(nameOfClaim))
    const release = { kind: 'at', readyAtMs: now() } as const
    await Promise.all(sure.map((lane) => ledger.write(workerId, { lane, release })))
    return sure.length
  }
}

/** One claim of one lane, as no other. */
export function nameOfClaim({ key, epoch }: LaneClaim): string {
  return `${epoch} ${key}`
}
