import type { ClaudeDialect } from './claude-family.js'
import { readClaudeEvent } from './claude-family.js'
import { isClaudeEvent } from './claude-wire.js'
import { finaliseStream } from './finalise.js'
import type { StreamProvider } from './provider.js'
import { keepLine } from './provider.js'

const dialect: ClaudeDialect = {
  label: 'codebuddy',
  structuredFailure: () => null,
  inspectUser: () => undefined,
}

/** CodeBuddy's stream: claude's, without structured terminal reasons and without background tasks. */
export const codebuddy: StreamProvider = {
  isEvent: isClaudeEvent,
  cleanLine: keepLine,
  read: (event, type, facts) => readClaudeEvent(event, type, facts, dialect),
  finalise: (facts, exit) => finaliseStream(facts, exit, { label: 'codebuddy', readsStdin: true }),
  resumeEvidence: 'error',
}
