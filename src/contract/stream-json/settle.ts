import type { ExitFacts, Settlement } from '../settlement.js'
import { knownExitCode } from './exit.js'
import type { StreamFacts } from './facts.js'
import type { StreamProvider } from './provider.js'
import { isResumeRejected } from './resume.js'
import { utf8Bytes } from './utf8-bytes.js'

/** What a transcript came to, given everything it said and how its process ended. */
export function settleStream(source: StreamProvider, facts: StreamFacts, exit: ExitFacts): Settlement {
  const ending = source.finalise(facts, exit)
  const resumeRejected = isResumeRejected(source, ending, facts, exit)
  return {
    status: ending.status,
    output: textOrNull(ending.output),
    partialOutput: ending.status === 'completed' ? null : facts.partialOutput,
    error: textOrNull(ending.error),
    stopReason: facts.stopReason,
    sessionId: resumeRejected ? null : textOrNull(facts.sessionId),
    resumeRejected,
    observation: facts.tally.observe({
      resultBytes: utf8Bytes(facts.terminal?.text ?? ''),
      lastAssistantBytes: utf8Bytes(facts.streamed === '' ? facts.fallback : facts.streamed),
      exitCode: knownExitCode(exit),
    }),
  }
}

/** Text as it can be written in UTF-8: the runtimes replace half of a surrogate pair, too. */
function textOrNull(text: string): string | null {
  return text === '' ? null : text.replace(/[\ud800-\udfff]/gu, '\ufffd')
}
