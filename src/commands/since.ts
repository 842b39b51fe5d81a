import { InvalidArgumentError } from 'commander'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Reads a moment as a person types it: `90m`, `2h`, `7d` back from now, or an ISO date.
 *
 * @returns ms since the epoch
 * @throws {InvalidArgumentError} for anything else
 */
export function parseSince(text: string, nowMs: number): number {
  const match = /^(\d{1,6})([mhd])$/.exec(text.trim())
  const unit = match?.[2]
  if (unit === 'm' || unit === 'h' || unit === 'd') return nowMs - Number(match?.[1]) * UNIT_MS[unit]
  const atMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(atMs))
    throw new InvalidArgumentError('expected 90m, 2h, 7d, or a date like 2026-11-30T10:00:00Z')
  return atMs
}
