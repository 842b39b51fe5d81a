import { z } from 'zod'

/** How hard the soak is; from the environment, so that a short one is one line. */
const Options = z.object({
  SOAK_RUNS: z.coerce.number().int().min(1).default(5_000),
  SOAK_LANES: z.coerce.number().int().min(1).default(300),
  SOAK_KILLS: z.coerce.number().int().min(0).default(200),
  SOAK_SEED: z.coerce.number().int().default(1),
  /** Shares of calls that go wrong, in thousandths. */
  SOAK_FAULTS: z.coerce.number().min(0).max(1_000).default(150),
  /** `on`: look-ups are refused, so that only the policy decides. */
  SOAK_BLIND: z.enum(['on', 'off']).default('off'),
  SOAK_SETTLE_MS: z.coerce.number().int().default(1_000),
})

export type SoakOptions = z.infer<typeof Options>

export function readOptions(): SoakOptions {
  return Options.parse(process.env)
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
