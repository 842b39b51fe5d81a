import { describeThrown } from '../describe-thrown.js'
import { limitDiagnostic } from '../diagnostic.js'
import { contentText } from '../visible-text.js'
import type { FailureSection } from './failure-sections.js'
import { failureSections } from './failure-sections.js'
import type { Headline } from './headline.js'
import { headlineOf } from './headline.js'
import type { ChildEnding, ChildResult } from './result.js'

/** What a calling agent reads of a child. `text` is all of it; a failure is an error result. */
export type ForegroundResult =
  | { readonly kind: 'answer'; readonly isError: false; readonly text: string }
  | {
      readonly kind: 'failure'
      readonly isError: true
      readonly sections: readonly FailureSection<Headline>[]
      readonly text: string
    }
  | {
      readonly kind: 'broken'
      readonly isError: true
      readonly errors: readonly string[]
      readonly text: string
    }

/** Renders a child for its caller. A rejected result or disposal makes even a good answer an error; both are named. */
export function renderForeground(ending: ChildEnding): ForegroundResult {
  const errors = endingErrors(ending)
  if (ending.result.kind === 'rejected' || errors.length > 0) {
    return { kind: 'broken', isError: true, errors, text: errors.join('\n') }
  }
  return renderResult(ending.result.result)
}

/** The messages of what rejected: the result, then the disposal. */
export function endingErrors({ result, disposalError }: ChildEnding): readonly string[] {
  const messages = [result.kind === 'rejected' ? result.message : null, disposalError]
  return messages.filter((message) => message !== null)
}

function renderResult(result: ChildResult): ForegroundResult {
  const written = contentText(result.output)
  if (result.stopReason === 'completed') return { kind: 'answer', isError: false, text: written }
  const diagnostic = result.diagnostic === undefined ? null : limitDiagnostic(result.diagnostic)
  const sections = failureSections(
    headlineOf(result.stopReason),
    diagnostic,
    // Any text at all is shown to an agent, blank or not; only a person needs it to be visible.
    written === '' ? null : written,
  )
  return { kind: 'failure', isError: true, sections, text: sections.map(sectionText).join('\n\n') }
}

function sectionText(section: FailureSection<Headline>): string {
  switch (section.section) {
    case 'headline':
      return section.headline.text
    case 'diagnostic':
      return `Diagnostic: ${section.text}`
    case 'partial':
      return `Partial output:\n${section.text}`
    default:
      return section satisfies never
  }
}

/** Waits for a child and disposes it once, whichever way it ends. Never rejects. */
export async function finishChild(child: {
  readonly result: Promise<ChildResult>
  dispose(): Promise<void>
}): Promise<ChildEnding> {
  const result = await child.result.then(
    (settled) => ({ kind: 'settled' as const, result: settled }),
    (thrown: unknown) => ({ kind: 'rejected' as const, message: describeThrown(thrown) }),
  )
  try {
    await child.dispose()
    return { result, disposalError: null }
  } catch (thrown) {
    return { result, disposalError: describeThrown(thrown) }
  }
}
