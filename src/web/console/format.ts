import { type Html, html } from './html.js'
import { type ConsoleLanguage, type Texts, textsOf } from './texts.js'

/** Writes moments, spans and numbers in one language, as of one moment. */
export interface Format {
  readonly texts: Texts
  readonly language: ConsoleLanguage
  /** `<time>` with how long ago it is, and the moment in UTC on hover and for readers of markup. */
  ago(atMs: number): Html
  /** `<time>` with the moment in UTC, and how long ago. */
  moment(atMs: number): Html
  /** "3 hours ago", "in 2 minutes". */
  relative(atMs: number): string
  /** "1.5 s", "2 min". */
  duration(ms: number): string
  /** "3 hours": how long since. */
  age(atMs: number): string
  count(value: number): string
  /** A count that stops at `limit`: "1,000+". */
  upTo(value: number, limit: number): string
}

type Unit = 'second' | 'minute' | 'hour' | 'day'

const UNITS: readonly (readonly [Unit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

export function createFormat(language: ConsoleLanguage, nowMs: number): Format {
  const texts = textsOf(language)
  const numbers = new Intl.NumberFormat(language)
  const relatives = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const relative = (atMs: number): string => {
    const [unit, size] = unitOf(Math.abs(atMs - nowMs))
    return relatives.format(Math.trunc((atMs - nowMs) / size), unit)
  }
  const span = (ms: number): string => {
    const [unit, size] = unitOf(ms)
    const value = ms / size
    return new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: value < 10 && unit === 'second' ? 1 : 0,
      roundingMode: 'trunc',
    }).format(value)
  }
  const count = (value: number) => numbers.format(value)
  return {
    texts,
    language,
    relative,
    duration: span,
    age: (atMs) => span(Math.max(0, nowMs - atMs)),
    count,
    upTo: (value, limit) => (value >= limit ? `${count(limit)}+` : count(value)),
    ago: (atMs) =>
      html`<time datetime="${iso(atMs)}" title="${utc(atMs)} ${texts.utc}">${relative(atMs)}</time>`,
    moment: (atMs) =>
      html`<time datetime="${iso(atMs)}">${utc(atMs)} ${texts.utc}</time> <span class="soft small">(${relative(atMs)})</span>`,
  }
}

function unitOf(ms: number): readonly [Unit, number] {
  return UNITS.find(([, size]) => ms >= size) ?? ['second', 1_000]
}

/** `2026-11-30 14:03:22`, the same in every language. */
export function utc(atMs: number): string {
  return iso(atMs).slice(0, 19).replace('T', ' ')
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString()
}
