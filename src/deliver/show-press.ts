import { type Language, resolveLanguage, type Words } from '../locales.js'
import type { Logger } from '../log.js'
import type { Line, RenderContext } from '../render/message.js'
import type { Part } from '../render/part.js'
import { backoffMs } from './backoff.js'
import type { Platform, Target } from './platform.js'
import type { ButtonName } from './press.js'

/** A press that the message is to tell of. Parts with the last one first. */
export interface PressToShow {
  readonly deliveryId: string
  readonly button: ButtonName
  readonly pressedFor: string
  /** 1-based number of this try. */
  readonly tries: number
  readonly target: Target
  readonly locale: string | null
  readonly isNotice: boolean
  readonly parts: readonly {
    readonly index: number
    readonly rendering: number
    readonly messageId: string
    readonly part: Part
  }[]
}

/** What showing presses needs of the store. */
export interface ShowBook {
  /** Claims presses that are due, for a minute. */
  claim(nowMs: number, limit: number): Promise<readonly PressToShow[]>
  done(press: PressToShow, nowMs: number): Promise<void>
  /** Tried again at this time; null: never. */
  again(press: PressToShow, showAtMs: number | null): Promise<void>
}

/** Puts a line of ours in place of a part's buttons; null when it has none. Pure. */
export type ReplaceButtons = (part: Part, line: Line, context: RenderContext) => Part | null

export interface ShowPressesOptions {
  readonly book: ShowBook
  readonly platformOf: (name: Platform['name']) => Pick<Platform, 'edit'> | null
  readonly replaceButtons: Readonly<Record<Platform['name'], ReplaceButtons>>
  readonly words: Words
  readonly defaultLanguage: Language
  readonly now: () => number
  /** Returns [0, 1). */
  readonly random: () => number
  readonly log: Logger
}

const BATCH = 16
/** A line under a message is worth some tries and no more. */
const MAX_TRIES = 8

/** Edits the messages of presses that are due: their buttons give way to a line that says what happened. */
export async function showPresses(options: ShowPressesOptions): Promise<number> {
  const presses = await options.book.claim(options.now(), BATCH)
  await Promise.all(presses.map((press) => show(options, press)))
  return presses.length
}

async function show(options: ShowPressesOptions, press: PressToShow): Promise<void> {
  const { book, now } = options
  const edited = pressedPart(options, press)
  const platform = options.platformOf(press.target.installation.platform)
  if (edited === null || platform === null) return book.done(press, now())
  const { index: partIndex, rendering, messageId, part } = edited
  const marker = { deliveryId: press.deliveryId, partIndex, rendering, isNotice: press.isNotice }
  const result = await platform.edit(press.target, messageId, part, marker)
  if (result.kind === 'edited' || result.kind === 'not_editable') return book.done(press, now())
  const asked = result.kind === 'rate_limited' ? (result.retryAfterMs ?? 0) : 0
  const waitMs = Math.max(asked, backoffMs(press.tries, options.random))
  const isLast = press.tries >= MAX_TRIES
  options.log.info({ deliveryId: press.deliveryId, code: result.code, isLast }, 'a press is not shown yet')
  await book.again(press, isLast ? null : now() + waitMs)
}

function pressedPart(options: ShowPressesOptions, press: PressToShow): PressToShow['parts'][number] | null {
  const { words, defaultLanguage } = options
  const context: RenderContext = {
    words,
    language: resolveLanguage(press.locale, words.languages) ?? defaultLanguage,
    installationLanguage: defaultLanguage,
    mentions: [],
    secrets: [],
    maxParts: 1,
    files: false,
  }
  const line: Line = { key: `button.done.${press.button}`, vars: {} }
  const replace = options.replaceButtons[press.target.installation.platform]
  for (const one of press.parts) {
    const part = replace(one.part, line, context)
    if (part !== null) return { ...one, part }
  }
  return null
}
