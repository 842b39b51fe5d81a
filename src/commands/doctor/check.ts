import type { Fault } from '../../deliver/platform.js'

/** One thing that was tried. */
export interface Check {
  /** What was looked at: `slack:T024BE7LD token`. */
  readonly name: string
  /** `note`: it works, but something could be better or was not tried. */
  readonly state: 'ok' | 'note' | 'problem'
  readonly detail: string
  /** What to click or to set, when there is something to do. */
  readonly fix?: string
}

export const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail })
export const note = (name: string, detail: string, fix?: string): Check =>
  fix === undefined ? { name, state: 'note', detail } : { name, state: 'note', detail, fix }
export const problem = (name: string, detail: string, fix: string): Check => ({
  name,
  state: 'problem',
  detail,
  fix,
})

/** How far clocks may be apart, in ms: Slack refuses requests that are five minutes off, and so do we. */
const MAX_SKEW_MS = 60_000

/** Our clock against a platform's, by the Date header of an answer. */
export function clockCheck(name: string, serverNowMs: number | null, nowMs: number): Check {
  if (serverNowMs === null) return note(`${name} clock`, 'the answer had no date')
  const skewMs = nowMs - serverNowMs
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return ok(`${name} clock`, `${seconds} s apart`)
  return problem(
    `${name} clock`,
    `this machine is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}`,
    'set the clock of this machine by NTP: signed events are refused when clocks differ',
  )
}

/** A fault in words for the table. */
export function faultText(fault: Fault): string {
  const log = fault.vendorLogId === undefined ? '' : ` (log id ${fault.vendorLogId})`
  return `${fault.kind} ${fault.code}${log}`
}
