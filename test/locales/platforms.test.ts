import { describe, expect, it } from 'vitest'
import { CAUSES, type Decision } from '../../src/contract/decision.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import { createWords, directionOf, LANGUAGES, type Language } from '../../src/locales.js'
import { renderLark } from '../../src/platforms/lark/render.js'
import { larkLocales } from '../../src/platforms/lark/render-locales.js'
import { renderSlack } from '../../src/platforms/slack/render.js'
import { compose } from '../../src/render/compose.js'
import type { RenderContext } from '../../src/render/message.js'
import type { Json } from '../../src/render/part.js'

const words = createWords()
const STATUSES = RUN_STATUSES.filter((status) => status !== 'completed')

const contextFor = (language: Language): RenderContext => ({
  words,
  language,
  installationLanguage: 'en',
  mentions: [],
  secrets: [],
  maxParts: 10,
  files: true,
})

/** Every decision that makes a chat read words of ours, half of them above the agent's own. */
const DECISIONS: readonly Decision[] = [
  { kind: 'notice', notice: 'no_response', silence: 'no_output' },
  { kind: 'notice', notice: 'aborted', silence: null },
  ...STATUSES.flatMap((status) =>
    CAUSES.map((cause, at): Decision => {
      const partial = at % 2 === 0 ? 'PARTIAL 1' : null
      return { kind: 'failure', status, cause, diagnostic: null, partial }
    }),
  ),
]

function stringsIn(json: Json): readonly string[] {
  // A Lark card travels as JSON inside JSON.
  if (typeof json === 'string') return json.startsWith('{"') ? stringsIn(JSON.parse(json)) : [json]
  if (typeof json !== 'object' || json === null) return []
  return Object.values(json).flatMap(stringsIn)
}

/** What no reader may see, in whatever language. */
const BROKEN = /\b(?:header|notice|repeated)\.[a-z_]+|\{\{|\}\}|\S {2}\S|undefined|\[object/

describe.each(LANGUAGES)('every notice in %s', (language) => {
  it.each([
    ['slack', renderSlack],
    ['lark', renderLark],
  ] as const)('reads well on %s', (platform, render) => {
    for (const decision of DECISIONS) {
      const message = compose(decision, { buttons: [], repeatCount: 3 })
      if (message === null || message.header === null)
        throw new TypeError('this decision shows words of ours')
      const { parts } = render(message, contextFor(language))
      const strings = parts.flatMap((part) => (part.kind === 'message' ? stringsIn(part.content) : []))
      expect(strings.filter((text) => BROKEN.test(text))).toEqual([])
      const header = words.say(language, message.header.key, message.header.vars)
      // Platforms escape differently; the letters are what a reader must find.
      const letters = (text: string): string => text.replaceAll(/&#?\w+;|[^\p{L}]/gu, '')
      expect(letters(strings.join(' '))).toContain(letters(header))
      if (platform === 'lark') expect(JSON.stringify(parts).length).toBeLessThan(30_000)
    }
  })

  it('shows readers of right-to-left languages no text that a chat would lay out from the left', () => {
    const first = words.say(language, 'header.cause.unknown').charAt(0)
    expect(/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(first)).toBe(directionOf(language) === 'rtl')
  })
})

it('Lark has a key for every language of ours but the two it does not offer', () => {
  expect(LANGUAGES.filter((language) => larkLocales(language).length === 0)).toEqual(['ar', 'he'])
})
