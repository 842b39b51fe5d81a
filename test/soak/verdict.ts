/** One run as the soak sent it: where, in which place of its conversation, in how many parts. */
export interface SoakRun {
  readonly deliveryId: string
  readonly lane: string
  readonly name: string
  readonly parts: number
}

export interface Verdict {
  readonly runs: number
  readonly shown: number
  /** Parts that no conversation shows. */
  readonly lost: number
  /** Parts that a conversation shows more than once. */
  readonly repeated: number
  /** Repeats that carry the mark for their reader. */
  readonly markedRepeats: number
  /** Parts that stand before an earlier one. */
  readonly outOfOrder: number
  readonly states: Readonly<Record<string, number>>
  /** Calls whose end nobody knew at the time. */
  readonly unknown: number
  readonly examples: readonly string[]
}

/** One message of a conversation: `run/part`, in the order they stand, and whether it is marked as a possible repeat. */
export interface Shown {
  readonly part: string
  readonly isMarked: boolean
}

/** Compares what conversations show with what they were sent. */
export function judge(
  runs: readonly SoakRun[],
  shownIn: (lane: string) => readonly Shown[],
): Omit<Verdict, 'states' | 'unknown'> {
  const byLane = new Map<string, SoakRun[]>()
  for (const run of runs) byLane.set(run.lane, [...(byLane.get(run.lane) ?? []), run])
  const counts = { shown: 0, lost: 0, repeated: 0, markedRepeats: 0, outOfOrder: 0 }
  const examples: string[] = []
  for (const [lane, sent] of byLane) {
    const expected = sent.flatMap((run) =>
      Array.from({ length: run.parts }, (_, n) => `${run.name}/${n + 1}`),
    )
    const rank = new Map(expected.map((part, at) => [part, at]))
    const seen = new Set<string>()
    let highest = -1
    for (const { part, isMarked } of shownIn(lane)) {
      counts.shown += 1
      if (seen.has(part)) {
        counts.repeated += 1
        if (isMarked) counts.markedRepeats += 1
        examples.push(`${lane}: ${part} repeated`)
        continue
      }
      seen.add(part)
      const at = rank.get(part) ?? -1
      if (at < highest) {
        counts.outOfOrder += 1
        examples.push(`${lane}: ${part} out of order`)
      }
      highest = Math.max(highest, at)
    }
    for (const part of expected)
      if (!seen.has(part)) {
        counts.lost += 1
        examples.push(`${lane}: ${part} lost`)
      }
  }
  return { runs: runs.length, ...counts, examples: examples.slice(0, 20) }
}
