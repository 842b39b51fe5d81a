import { createSettler, type ExitFacts, type TranscriptFormat } from '../contract/index.js'
import type { Settlement } from '../contract/settlement.js'
import { openInput } from './input.js'

/** The flags of `lastword settle`, as commander hands them over. */
export interface SettleFlags {
  readonly format: TranscriptFormat
  readonly deadlineMs?: number
  readonly cancelled?: boolean
  readonly readError?: string
  readonly writeError?: string
  readonly exitError?: string
  readonly exitCode?: number
  readonly stderr?: string
  readonly resume?: string
}

/** Folds a transcript, line by line, into what the run came to. */
export async function settleInput(path: string, flags: SettleFlags): Promise<Settlement> {
  const settler = createSettler(flags.format)
  for await (const chunk of openInput(path)) settler.push(chunk)
  return settler.end(exitOf(flags))
}

function exitOf(flags: SettleFlags): Partial<ExitFacts> {
  return {
    runError: flags.cancelled === true ? 'canceled' : flags.deadlineMs === undefined ? null : 'deadline',
    readError: flags.readError ?? null,
    writeError: flags.writeError ?? null,
    exitError: flags.exitError ?? null,
    exitCode: flags.exitCode ?? null,
    stderr: flags.stderr ?? null,
    deadlineMs: flags.deadlineMs ?? 0,
    resume: flags.resume ?? null,
  }
}
