import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Settlement } from '../../../src/contract/settlement.js'
import { foldStreamJson, STREAM_PROVIDERS } from '../../../src/contract/stream-json/index.js'
import { anExit } from './support.js'

const Row = z.strictObject({
  name: z.string(),
  provider: z.enum(STREAM_PROVIDERS),
  source: z.string(),
  lines: z.array(z.unknown()),
  exit: z.strictObject({
    runErr: z.enum(['deadline', 'canceled']).optional(),
    writeErr: z.string().optional(),
    exitErr: z.string().optional(),
    scanErr: z.string().optional(),
    stderr: z.string().optional(),
    linger: z.boolean().optional(),
  }),
  opts: z.strictObject({ timeout_ms: z.number().optional(), resume: z.string().nullish() }).optional(),
  expect: z.strictObject({
    status: z.string(),
    output: z.string(),
    error_contains: z.string().optional(),
    error_equals: z.string().optional(),
    session_id: z.string().optional(),
    resume_rejected: z.boolean().optional(),
    unreadable_assistant_count: z.number().optional(),
    invalid_event_count: z.number().optional(),
    tool_use_count: z.number().optional(),
    unhandled_event_type_count: z.number().optional(),
    unhandled_subtype_count: z.number().optional(),
    unhandled_event_types: z.string().optional(),
  }),
})
type Row = z.infer<typeof Row>

const rows = z.array(Row).parse(JSON.parse(readFileSync(new URL('./vectors.json', import.meta.url), 'utf8')))

const Raw = z.strictObject({ $raw: z.string() })
const RawRepeat = z.strictObject({ $raw_repeat: z.strictObject({ char: z.string(), count: z.number() }) })

function lineText(line: unknown): string {
  const raw = Raw.safeParse(line)
  if (raw.success) return raw.data.$raw
  const repeat = RawRepeat.safeParse(line)
  if (repeat.success) return repeat.data.$raw_repeat.char.repeat(repeat.data.$raw_repeat.count)
  return JSON.stringify(line)
}

/** `ownCap` leaves the read error out, so that the fold must find an oversized line itself. */
function settle(row: Row, ownCap: boolean): Settlement {
  const text = row.lines.map((line) => `${lineText(line)}\n`).join('')
  const exit = anExit({
    runError: row.exit.runErr ?? null,
    readError: ownCap ? null : (row.exit.scanErr ?? null),
    writeError: row.exit.writeErr ?? null,
    exitError: row.exit.exitErr ?? null,
    stderr: row.exit.stderr ?? null,
    deadlineMs: row.opts?.timeout_ms ?? 0,
    resume: row.opts?.resume ?? null,
  })
  return foldStreamJson(row.provider, text, exit)
}

/** The fields of a settlement that a row speaks of, in the row's words. */
function observed(row: Row, settlement: Settlement): Partial<Row['expect']> {
  const { observation } = settlement
  const all: Required<Row['expect']> = {
    status: settlement.status,
    output: settlement.output === null ? '' : String(settlement.output),
    error_contains: (settlement.error ?? '').includes(row.expect.error_contains ?? '')
      ? (row.expect.error_contains ?? '')
      : (settlement.error ?? ''),
    error_equals: settlement.error ?? '',
    session_id: settlement.sessionId ?? '',
    resume_rejected: settlement.resumeRejected,
    unreadable_assistant_count: observation.unreadableAssistantCount,
    invalid_event_count: observation.invalidEventCount,
    tool_use_count: observation.toolUseCount,
    unhandled_event_type_count: observation.unhandledEventTypeCount,
    unhandled_subtype_count: observation.unhandledSubtypeCount,
    unhandled_event_types: observation.unhandledEventTypes.join(','),
  }
  return Object.fromEntries(Object.entries(all).filter(([field]) => field in row.expect))
}

describe('stream-json vectors', () => {
  test('the file is whole', () => {
    expect(rows.length).toBe(229)
  })

  for (const row of rows) {
    test(`${row.provider}: ${row.name}`, () => {
      const settlement = settle(row, false)
      expect(observed(row, settlement)).toEqual(row.expect)
      expect(settlement.output === null).toBe(row.expect.output === '')
      expect(settlement.error === null).toBe(row.expect.status === 'completed')
    })
  }

  for (const row of rows.filter(({ exit }) => exit.scanErr === 'bufio.Scanner: token too long')) {
    test(`${row.provider}: ${row.name}, found by our own cap`, () => {
      expect(settle(row, true)).toEqual(settle(row, false))
    })
  }
})
