import type { ContentBlock } from '../content.js'
import type { AssistantEvent, Contribution } from './event.js'
import { readContribution } from './event.js'

/**
 * Selects an agent's output from its own events, one at a time: the last message with at least one content block, whole;
 * else the streamed text in event order; else nothing. Nothing is merged, trimmed or separated, and the stop reason plays
 * no part. May be read at any time; reading changes nothing.
 */
export class AssistantOutputFold {
  #message: readonly ContentBlock[] | null = null
  #streamed = ''

  /**
   * Takes the next event.
   * @throws {TypeError} when the event is malformed; the fold is then as it was before
   */
  push(event: AssistantEvent): void {
    this.add(readContribution(event))
  }

  /** Takes an event that was read already. */
  add({ message, text }: Contribution): void {
    this.pushText(text)
    if (message.length > 0) {
      this.#message = message
      this.#streamed = ''
    }
  }

  /** Takes the next piece of raw text from a transport that has no complete messages. */
  pushText(text: string): void {
    // A message always beats streamed text, so text after one need not be kept.
    if (this.#message === null) this.#streamed += text
  }

  /** The output so far, as content blocks; null when there is none. */
  collect(): readonly ContentBlock[] | null {
    if (this.#message !== null) return this.#message
    return this.#streamed === '' ? null : [{ type: 'text', text: this.#streamed }]
  }
}

/** A fold that has seen nothing. */
export function createAssistantOutputFold(): AssistantOutputFold {
  return new AssistantOutputFold()
}

/**
 * The output of a finished list of events, as content blocks; null when there is none.
 * @throws {TypeError} when an event is malformed
 */
export function finalAssistantOutput(events: Iterable<AssistantEvent>): readonly ContentBlock[] | null {
  const fold = createAssistantOutputFold()
  for (const event of events) fold.push(event)
  return fold.collect()
}
