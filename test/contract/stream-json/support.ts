import type { ExitFacts } from '../../../src/contract/settlement.js'
import type { StreamProviderName } from '../../../src/contract/stream-json/index.js'

/** A process that ended by itself and cleanly. */
export const CLEAN_EXIT: ExitFacts = {
  runError: null,
  readError: null,
  writeError: null,
  exitError: null,
  exitCode: null,
  stderr: null,
  deadlineMs: 0,
  resume: null,
}

export function anExit(facts: Partial<ExitFacts>): ExitFacts {
  return { ...CLEAN_EXIT, ...facts }
}

/** One transcript from its events, a line each. */
export function transcript(...events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

export const INIT = { type: 'system', subtype: 'init', session_id: 'sess-a' } as const

export function assistant(...content: readonly unknown[]): {
  readonly type: string
  readonly message: unknown
} {
  return { type: 'assistant', message: { role: 'assistant', model: 'm-1', content } }
}

export function text(words: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: words }
}

export const TOOL_USE = { type: 'tool_use', id: 'tu-1', name: 'Read', input: { path: 'notes.txt' } } as const

export function success(result: string): Record<string, unknown> {
  return { type: 'result', subtype: 'success', is_error: false, session_id: 'sess-a', result }
}

export const PROVIDERS: readonly StreamProviderName[] = ['claude', 'codebuddy', 'qwen', 'cursor']
