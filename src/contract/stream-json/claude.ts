import type { ClaudeDialect } from './claude-family.js'
import { readClaudeEvent } from './claude-family.js'
import { CLAUDE_MESSAGE, isClaudeEvent } from './claude-wire.js'
import type { StreamFacts } from './facts.js'
import type { JsonObject } from './fields.js'
import { isObject, isOptionalText, textField } from './fields.js'
import { finaliseStream } from './finalise.js'
import { trimSpace } from './parse-line.js'
import type { StreamProvider } from './provider.js'
import { keepLine } from './provider.js'
import { readMessage } from './turn.js'

const GUARD =
  'claude launched an async background task that outlives the run; a delivered run must keep its work in the foreground'

const dialect: ClaudeDialect = {
  label: 'claude',
  structuredFailure: readTerminalReason,
  inspectUser: guardAgainstAsyncLaunch,
}

/** Claude Code's `--output-format stream-json`. */
export const claude: StreamProvider = {
  isEvent: (event) => isClaudeEvent(event) && isOptionalText(event.terminal_reason),
  cleanLine: keepLine,
  read: (event, type, facts) => readClaudeEvent(event, type, facts, dialect),
  finalise: (facts, exit) => finaliseStream(facts, exit, { label: 'claude', readsStdin: true }),
  resumeEvidence: 'error_and_stderr',
}

/** An exhausted context is reported as a reason and not always as an error. Every other reason is left to the error flag. */
function readTerminalReason(event: JsonObject): string | null {
  if (trimSpace(textField(event, 'terminal_reason')) !== 'prompt_too_long') return null
  const prose = trimSpace(textField(event, 'result'))
  return `claude exhausted its context: terminal_reason=prompt_too_long${prose === '' ? '' : ` (${prose})`}`
}

/** A background task ends after the run and its answer would be lost: such a run did not complete. */
function guardAgainstAsyncLaunch(event: JsonObject, facts: StreamFacts): void {
  const body = readMessage(event.message, CLAUDE_MESSAGE)
  if (body?.blocks.some((block) => block.type === 'tool_result' && hasAsyncLaunch(block.content)))
    facts.guard = GUARD
}

/** Only structured content counts: quoted in a string, the words are just words. */
function hasAsyncLaunch(content: unknown): boolean {
  if (Array.isArray(content)) return content.some(isAsyncLaunch)
  if (!isObject(content)) return false
  return isAsyncLaunch(content) || (Array.isArray(content.content) && content.content.some(isAsyncLaunch))
}

function isAsyncLaunch(value: unknown): boolean {
  return isObject(value) && value.status === 'async_launched'
}
