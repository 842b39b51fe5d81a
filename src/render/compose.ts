import { type FailureSection, failureSections } from '../contract/child/failure-sections.js'
import type { Decision } from '../contract/decision.js'
import type { Button, Line, Message } from './message.js'
import { linkUrl } from './urls.js'

/** What besides the decision goes into a message. */
export interface ComposeOptions {
  /** Buttons of the run, shown under the last part. */
  readonly buttons: readonly Button[]
  /** How often the same failure has happened here, when more than once. */
  readonly repeatCount?: number
  /** The producer's page of the run, as it came: a failure links to it when a chat may. */
  readonly runUrl?: string | null
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
    case 'failure': {
      const sections = failureSections(failureHeader(decision), decision.diagnostic, decision.partial)
      const footer = failureFooter(decision, options.repeatCount)
      const runUrl = pageUrl(options.runUrl ?? null)
      const empty: Message = {
        kind: 'notice',
        header: null,
        diagnostic: null,
        body: null,
        buttons,
        ...(footer === null ? {} : { footer }),
        ...(runUrl === null ? {} : { runUrl }),
      }
      return sections.reduce(addSection, empty)
    }
    default:
      return decision satisfies never
  }
}

/** A longer one would take the room of the notice. Ours. */
const MAX_PAGE_URL_CHARS = 1_000

/** An address a chat may open: a web page, without a password in it. */
function pageUrl(raw: string | null): string | null {
  const url = raw === null ? null : linkUrl(raw)
  return url !== null && url.length <= MAX_PAGE_URL_CHARS && /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url)
    ? url
    : null
}

function addSection(message: Message, section: FailureSection<Line>): Message {
  switch (section.section) {
    case 'headline':
      return { ...message, header: section.headline }
    case 'diagnostic':
      return { ...message, diagnostic: section.text }
    case 'partial':
      return { ...message, body: section.text }
    default:
      return section satisfies never
  }
}

/** How often it happened says more than when to try again: it was tried again. */
function failureFooter(
  { retryAfterMs }: Extract<Decision, { kind: 'failure' }>,
  repeatCount: number | undefined,
): Line | null {
  if (repeatCount !== undefined) return { key: 'repeated', vars: { count: repeatCount } }
  if (retryAfterMs === undefined) return null
  return { key: 'header.retry_in', vars: { seconds: Math.ceil(retryAfterMs / 1_000) } }
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
