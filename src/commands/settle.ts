import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Config } from '../config.js'
import {
  createSettler,
  type ExitFacts,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from '../contract/index.js'
import type { Settlement } from '../contract/settlement.js'
import { createLogger, logFold } from '../log.js'
import { openInput } from './input.js'
import { print } from './output.js'

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

/** `lastword settle`. */
export function addSettleCommand(program: Command, settings: () => Config): void {
  program
    .command('settle')
    .description('fold a transcript into the outcome of its run')
    .argument('[file]', 'a file, or - for standard input', '-')
    .addOption(
      new Option('--format <format>', 'who wrote it').choices(TRANSCRIPT_FORMATS).makeOptionMandatory(),
    )
    .option('--deadline-ms <ms>', 'a deadline of this many ms ended it', wholeNumber)
    .option('--cancelled', 'it was cancelled')
    .option('--read-error <text>', 'reading its output failed')
    .option('--write-error <text>', 'writing its input failed')
    .option('--exit-error <text>', 'it exited with an error')
    .option('--exit-code <code>', 'its exit code', wholeNumber)
    .option('--stderr <text>', 'what it wrote to standard error')
    .option('--resume <session>', 'the session it was asked to resume')
    .option('--json', 'print JSON (always)')
    .action(async (file: string, flags: SettleFlags) => {
      const log = createLogger(settings().LASTWORD_LOG_LEVEL)
      const settlement = await settleInput(file, flags)
      logFold(log, { runId: null, format: flags.format, observation: settlement.observation }, 'debug')
      print(settlement, true, () => [])
    })
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number')
  return Number(text)
}
