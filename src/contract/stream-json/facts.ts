import type { ContentBlock } from '../content.js'
import { AssistantOutputFold } from '../selection/fold.js'
import type { JsonObject } from './fields.js'
import { Tally } from './tally.js'
import type { MessageBody } from './turn.js'
import { classifyTurn, fallbackAfter } from './turn.js'

/** A terminal event as its provider understood it. */
export interface Terminal {
  /** Verbatim; empty when the event had none. */
  readonly text: string
  /** The error text when the event reports an error; null for a success. */
  readonly failure: string | null
  readonly stopReason: string | null
}

/** What a transcript has said so far. Providers write it while they read; the finaliser reads it once, at the end. */
export class StreamFacts {
  readonly tally = new Tally()
  /** Empty: none known. */
  sessionId = ''
  /** The last terminal event; it replaces every earlier one. */
  terminal: Terminal | null = null
  /** The last tool-free answer of the assistant, if nothing since made it stale. */
  fallback = ''
  /** Why a run may not count as completed although its transcript says so. */
  guard: string | null = null
  /** Every piece of assistant text; only kept by providers whose answer is that. */
  streamed = ''
  /** The last error the stream reported outside a terminal event. */
  protocolError = ''
  /** Set when the protocol says nothing after this point belongs to the run. */
  isClosed = false
  readonly #partial = new AssistantOutputFold()
  #lastMessage: readonly JsonObject[] | null = null
  #messageStopReason: string | null = null

  constructor(readonly isStrict: boolean) {}

  /** Takes an assistant event. `body` is null when it did not parse. */
  takeTurn(body: MessageBody | null, isMainAgent: boolean): void {
    const turn = classifyTurn(body, this.isStrict)
    this.tally.assistantEventCount++
    this.tally.toolUseCount += turn.toolUseCount
    if (!turn.isUnderstood) this.tally.unreadableAssistantCount++
    if (isMainAgent || this.isStrict) this.fallback = fallbackAfter(turn, this.fallback)
    if (isMainAgent && body !== null) this.takeMessage(body)
  }

  /** Takes what the main agent said, for the partial output and the stop reason only. */
  takeMessage(body: MessageBody): void {
    if (body.blocks.length === 0) return
    this.#messageStopReason = body.stopReason
    // A message without a model behind it is the runtime's own notice, often a provider's error text.
    if (body.model === '<synthetic>') return
    this.#lastMessage = body.blocks
  }

  /** Takes a streamed piece of what the main agent is saying. */
  takeDelta(text: string): void {
    // A message beats every delta, so only those before the first one are worth keeping.
    if (this.#lastMessage === null) this.#partial.pushText(text)
  }

  /** What the main agent had said, as content blocks; null when nothing. */
  get partialOutput(): readonly ContentBlock[] | null {
    const content = this.#lastMessage?.filter(isContentBlock) ?? []
    this.#partial.push({ kind: 'assistant_message', content })
    return this.#partial.collect()
  }

  /** Why the model stopped, in the transcript's own word: the terminal event's, else the last message's. */
  get stopReason(): string | null {
    return this.terminal?.stopReason ?? this.#messageStopReason
  }
}

function isContentBlock(block: JsonObject): block is ContentBlock {
  return typeof block.type === 'string' && (block.text === undefined || typeof block.text === 'string')
}
