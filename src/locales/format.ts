/** Intl formatters by language: making one costs more than using it. A memo, never read by anyone else. */
const relativeTimes = new Map<string, Intl.RelativeTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

function remembered<F>(memo: Map<string, F>, key: string, make: () => F): F {
  const known = memo.get(key)
  if (known !== undefined) return known
  const made = make()
  memo.set(key, made)
  return made
}

/** A unit is used up to its largest count; the next begins at two, so that no sentence needs a singular. */
const STEPS = [
  { unit: 'second', seconds: 1, largest: 90, roundTo: 5 },
  { unit: 'minute', seconds: 60, largest: 90, roundTo: 1 },
  { unit: 'hour', seconds: 3600, largest: 47, roundTo: 1 },
  { unit: 'day', seconds: 86_400, largest: Number.POSITIVE_INFINITY, roundTo: 1 },
] as const

/** Formats seconds from now as people say it: `in 2 minutes`. Rounded up, so that nobody comes back too early. */
export function formatFromNow(seconds: number, language: string): string {
  const atLeastOne = Number.isFinite(seconds) ? Math.max(1, seconds) : 1
  const step = STEPS.find(({ seconds: size, largest }) => Math.ceil(atLeastOne / size) <= largest) ?? STEPS[3]
  const count = Math.ceil(atLeastOne / step.seconds / step.roundTo) * step.roundTo
  return remembered(relativeTimes, language, () => new Intl.RelativeTimeFormat(language)).format(
    count,
    step.unit,
  )
}

const SIZE_UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats a size as people say it: `1.2 MB`. Decimal units, kilobytes at least, rounded up. */
export function formatSize(bytes: number, language: string): string {
  let value = Math.max(0, bytes) / 1000
  let step = 0
  while (value >= 1000 && step < SIZE_UNITS.length - 1) {
    value /= 1000
    step += 1
  }
  const unit = SIZE_UNITS[step] ?? 'kilobyte'
  const rounded = step === 0 ? Math.max(1, Math.ceil(value)) : Math.ceil(value * 10) / 10
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return remembered(numbers, `${language} ${unit}`, () => new Intl.NumberFormat(language, options)).format(
    rounded,
  )
}

/** Formats a whole number with the language's own grouping and digits. */
export function formatNumber(value: number, language: string): string {
  return remembered(
    numbers,
    language,
    () => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }),
  ).format(value)
}
