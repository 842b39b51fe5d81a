import type { Config } from '../config.js'
import { outcomeChars } from '../contract/content-size.js'
import type { Run } from '../contract/run.js'
import { type Acceptance, type AcceptanceLedger, acceptRun, type Producer } from '../intake/accept.js'
import { createAdmission } from '../intake/backpressure.js'
import { type FoldedTranscript, parseRun } from '../intake/parse-run.js'
import { type Logger, logFold } from '../log.js'

/** Parses and accepts one run; resolves after commit. */
export type Accept = (value: unknown, producer: Producer) => Promise<Acceptance>

/** Parses, admits and accepts runs. `onNew` hears of those that were not there yet. */
export function createAccept(
  config: Config,
  log: Logger,
  ledger: AcceptanceLedger,
  now: () => number,
  onNew: (run: Run) => void,
): Accept {
  const admit = createAdmission()
  const onFold = (folded: FoldedTranscript) => logFold(log, folded)
  return async (value, producer) => {
    const run = parseRun(value, { maxOutputBytes: config.LASTWORD_MAX_OUTPUT_BYTES, onFold })
    const acceptance = await admit(outcomeChars(run.outcome), () =>
      acceptRun(run, producer, { ledger, now, maxAgeMs: config.LASTWORD_MAX_AGE_MS }),
    )
    if (acceptance.isNew) onNew(run)
    return acceptance
  }
}
