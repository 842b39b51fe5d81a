import type { Decision } from '../contract/decision.js'
import type { Button, Line, Message } from './message.js'

/** What besides the decision goes into a message. */
export interface ComposeOptions {
  /** Buttons of the run, shown under the last part. */
  readonly buttons: readonly Button[]
  /** How often the same failure has happened here, when more than once. */
  readonly repeatCount?: number
}

/** The message a decision shows, or null when it shows nothing. Pure; our words stay keys until a platform says them. */
export function compose(decision: Decision, options: ComposeOptions = { buttons: [] }): Message | null {
  const { buttons } = options
  switch (decision.kind) {
    case 'drop':
      return null
    case 'relay':
      return { kind: 'answer', header: null, diagnostic: null, body: decision.text, buttons }
    case 'notice':
      return {
        kind: 'notice',
        header: line(`notice.${decision.notice}`),
        diagnostic: null,
        body: null,
        buttons,
      }
    case 'failure':
      return {
        kind: 'notice',
        header: failureHeader(decision),
        diagnostic: decision.diagnostic,
        body: decision.partial,
        ...(options.repeatCount === undefined
          ? {}
          : { footer: { key: 'repeated' as const, vars: { count: options.repeatCount } } }),
        buttons,
      }
    default:
      return decision satisfies never
  }
}

/** The cause where it is known, else how the run ended. */
function failureHeader(decision: Extract<Decision, { kind: 'failure' }>): Line {
  return decision.cause === 'unknown'
    ? line(`header.status.${decision.status}`)
    : line(`header.cause.${decision.cause}`)
}

function line(key: Extract<Line, { vars: Readonly<Record<string, never>> }>['key']): Line {
  return { key, vars: {} }
}
