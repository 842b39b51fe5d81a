import type { Observation } from '../settlement.js'
import { trimSpace } from './parse-line.js'

/** How many different unhandled type names are told apart. */
const MAX_TYPE_NAMES = 16

const MAX_TYPE_NAME_CHARS = 64

/**
 * The name of an event type, safe to log: an identifier, else `invalid`, or `unknown` when there is none. Anything
 * longer or with other characters could be content that strayed into the field.
 */
export function safeTypeName(type: string): string {
  const name = trimSpace(type)
  if (name === '') return 'unknown'
  return name.length <= MAX_TYPE_NAME_CHARS && /^[A-Za-z0-9_-]+$/.test(name) ? name : 'invalid'
}

/** Counts the events of one transcript. Takes numbers and type names only, so nothing else can be reported. */
export class Tally {
  eventCount = 0
  invalidEventCount = 0
  assistantEventCount = 0
  toolUseCount = 0
  unreadableAssistantCount = 0
  unhandledSubtypeCount = 0
  #unhandledEventTypeCount = 0
  #lastType: string | null = null
  readonly #unhandledTypes = new Map<string, number>()

  countEvent(type: string): void {
    this.eventCount++
    this.#lastType = type
  }

  countUnhandledType(type: string): void {
    this.#unhandledEventTypeCount++
    const name = safeTypeName(type)
    const isKnown = this.#unhandledTypes.has(name) || this.#unhandledTypes.size < MAX_TYPE_NAMES
    const key = isKnown ? name : '(overflow)'
    this.#unhandledTypes.set(key, (this.#unhandledTypes.get(key) ?? 0) + 1)
  }

  get lastEventType(): string | null {
    return this.#lastType === null ? null : safeTypeName(this.#lastType)
  }

  /** The counts as reported; sizes are in UTF-8 bytes. */
  observe(sizes: Pick<Observation, 'resultBytes' | 'lastAssistantBytes' | 'exitCode'>): Observation {
    return {
      eventCount: this.eventCount,
      invalidEventCount: this.invalidEventCount,
      assistantEventCount: this.assistantEventCount,
      toolUseCount: this.toolUseCount,
      unreadableAssistantCount: this.unreadableAssistantCount,
      unhandledEventTypeCount: this.#unhandledEventTypeCount,
      unhandledEventTypes: [...this.#unhandledTypes].map(([name, count]) => `${name}=${count}`).sort(),
      unhandledSubtypeCount: this.unhandledSubtypeCount,
      resultBytes: sizes.resultBytes,
      lastAssistantBytes: sizes.lastAssistantBytes,
      lastEventType: this.lastEventType,
      exitCode: sizes.exitCode,
    }
  }
}
