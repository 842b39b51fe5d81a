import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A run in the words of the people who reported these failures. */
const reportedRun = z.looseObject({
  id: z.string().optional(),
  status: z.enum(['completed', 'truncated', 'refused', 'failed', 'timeout', 'aborted']).default('completed'),
  stopReason: z.string().optional(),
  output: z.string().optional(),
  abortReason: z.string().optional(),
  error: z
    .strictObject({
      code: z.string().optional(),
      message: z.string().optional(),
      retryAfterSec: z.number().optional(),
    })
    .optional(),
  trigger: z.enum(['schedule']).optional(),
  placeholderTs: z.string().optional(),
})
export type ReportedRun = z.infer<typeof reportedRun>

const publicCase = z.object({
  id: z.string(),
  area: z.enum(['silent', 'truncated']),
  title: z.string(),
  input: z.looseObject({
    run: reportedRun.optional(),
    runs: z.array(reportedRun).optional(),
    platform: z.enum(['slack', 'lark']).default('slack'),
    surface: z.enum(['direct', 'channel', 'thread']).default('channel'),
    locale: z.string().default('en'),
  }),
})
export type PublicCase = z.infer<typeof publicCase>

const DATA = new URL('data/silent-and-truncated.json', import.meta.url)

/** Failures of such bots that people reported in public, by their id in our collection. */
export const CASES: ReadonlyMap<string, PublicCase> = new Map(
  z
    .array(publicCase)
    .parse(JSON.parse(readFileSync(DATA, 'utf8')))
    .map((one) => [one.id, one]),
)

export function theCase(id: string): PublicCase {
  const found = CASES.get(id)
  if (found === undefined) throw new RangeError(`no case ${id}`)
  return found
}

/** The runs of a case, in order. */
export function runsOf({ input }: PublicCase): readonly ReportedRun[] {
  return [...(input.run === undefined ? [] : [input.run]), ...(input.runs ?? [])]
}

/** A reported run in our words, without its conversation. */
export function inOurWords(run: ReportedRun, locale: string): Record<string, unknown> {
  const { status, stopReason, output, abortReason, error, trigger, placeholderTs } = run
  return {
    outcome: {
      status,
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(output === undefined ? {} : { output }),
      ...(abortReason === undefined ? {} : { abortedBy: 'system' }),
      ...(error?.code === undefined ? {} : { errorCode: error.code }),
      ...(error?.message === undefined ? {} : { error: error.message }),
      ...(error?.retryAfterSec === undefined ? {} : { retryAfterMs: error.retryAfterSec * 1_000 }),
    },
    locale,
    ...(trigger === undefined ? {} : { trigger: { kind: trigger } }),
    ...(placeholderTs === undefined ? {} : { acknowledgement: { message: placeholderTs } }),
  }
}
