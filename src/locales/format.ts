/** Formats a number of seconds from now as people say it: `in 2 minutes`. Rounded up, so that nobody is early. */
export function formatFromNow(seconds: number, language: string): string {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  const whole = Math.max(1, Math.ceil(Number.isFinite(seconds) ? seconds : 1))
  if (whole <= 90) return relative.format(whole, 'second')
  const minutes = Math.ceil(whole / 60)
  return minutes <= 90 ? relative.format(minutes, 'minute') : relative.format(Math.ceil(minutes / 60), 'hour')
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats a size: `1.2 MB`. Decimal units (1 kB = 1,000 bytes), as `Intl` names them. */
export function formatSize(bytes: number, language: string): string {
  let value = Math.max(0, bytes)
  let step = 0
  while (value >= 999.5 && step < BYTE_UNITS.length - 1) {
    value /= 1000
    step += 1
  }
  const format = { style: 'unit', unit: BYTE_UNITS[step] ?? 'byte', unitDisplay: 'short' } as const
  return new Intl.NumberFormat(language, { ...format, maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  )
}

/** Formats a whole number with the language's own grouping and digits. */
export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(value)
}
