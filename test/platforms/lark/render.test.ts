import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LARK_LIMITS } from '../../../src/platforms/lark/limits.js'
import { renderLark } from '../../../src/platforms/lark/render.js'
import type { Message } from '../../../src/render/message.js'
import type { Part } from '../../../src/render/part.js'
import { checkCard } from '../../../src/sandbox/lark/card.js'
import { markdownTables } from '../../../src/sandbox/lark/card-component.js'
import { readCorpus } from '../../render/corpus/read.js'
import { fencesBalance, PING, wordsOf } from './render-checks.js'
import { aContext, anAnswer, bodyOf, cardMarkdown, sizeOf, wireOf } from './render-support.js'

/** What every card must hold, whatever is in it. */
function expectGoodCards(parts: readonly Part[]): void {
  for (const part of parts) {
    if (part.kind === 'file') continue
    const wire = wireOf(part)
    expect(wire.msg_type).toBe('interactive')
    checkCard(JSON.parse(wire.content), (openId) => openId === 'ou_allowed1')
    expect(sizeOf(part)).toBeLessThanOrEqual(LARK_LIMITS.cardBytes.budget)
    expect(wire.content).not.toMatch(/\p{Surrogate}/u)
    const markdown = cardMarkdown(part)
    expect(markdownTables(markdown)).toBeLessThanOrEqual(LARK_LIMITS.tablesPerCard.budget)
    expect(wire.content.replaceAll('<at id=ou_allowed1></at>', '')).not.toMatch(PING)
    expect(fencesBalance(markdown)).toBe(true)
  }
}

describe('every document of the corpus becomes good cards', () => {
  for (const { name, message } of readCorpus()) {
    test(name, () => {
      const { parts } = renderLark(message, aContext({ files: false }))
      expect(parts.length).toBeGreaterThan(0)
      expectGoodCards(parts)
      expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(message.body ?? ''))
    })
  }
})

test('the same message and context give the same bytes', () => {
  const [message] = readCorpus().filter(({ name }) => name.startsWith('61'))
  const render = () => JSON.stringify(renderLark(message?.message ?? anAnswer(''), aContext()))
  expect(render()).toBe(render())
})

const failure: Message = {
  kind: 'notice',
  header: { key: 'header.cause.timeout', vars: {} },
  diagnostic: 'gave up after "30 s" <at id=all></at>',
  body: 'So far: **one** of two.',
  buttons: [{ kind: 'retry', value: 'run_1' }],
}

describe('notices', () => {
  test('a header is in every language of Lark, the answer once', () => {
    const { parts } = renderLark(failure, aContext({ language: 'zh-Hans' }))
    const card = JSON.parse(wireOf(firstOf(parts)).content)
    expect(card.header.title.content).toBe(`⚠️ ${aContext().words.say('zh-Hans', 'header.cause.timeout')}`)
    expect(card.header.title.i18n_content.en_us).toBe('⚠️ The agent ran out of time before it finished.')
    expect(card.header.title.i18n_content.zh_tw).toBe(card.header.title.i18n_content.zh_hk)
    expect(Object.keys(card.header.title.i18n_content).slice(0, 2)).toEqual(['zh_cn', 'en_us'])
    expect(card.header.template).toBe('red')
    expect(card.config).toEqual({ update_multi: true, summary: { ...without(card.header.title, 'tag') } })
    expect(card.body.elements.map((element: { tag: string }) => element.tag)).toEqual([
      'div',
      'markdown',
      'button',
    ])
    expect(card.body.elements[0].text.content).toBe('gave up after "30 s" <\u2060at id=all><\u2060/at>')
    expect(card.body.elements[2].behaviors).toEqual([
      { type: 'callback', value: { action: 'retry', value: 'run_1' } },
    ])
  })

  test('a lone line is the body of a card, in grey words of ours', () => {
    const message: Message = {
      ...failure,
      header: { key: 'notice.no_response', vars: {} },
      diagnostic: null,
      body: null,
      buttons: [],
    }
    const card = JSON.parse(wireOf(firstOf(renderLark(message, aContext()).parts)).content)
    expect(card.header).toBeUndefined()
    expect(card.body.elements).toHaveLength(1)
    expect(card.body.elements[0].text.content).toBe('ℹ️ The agent finished and had nothing to add.')
  })

  test('a diagnostic as long as the contract allows leaves room for the answer', () => {
    const message: Message = { ...failure, diagnostic: '"'.repeat(4_096), body: '汉'.repeat(30_000) }
    const { parts } = renderLark(message, aContext({ files: false }))
    expectGoodCards(parts)
    expect(parts.map(bodyOf).join('').replaceAll(/\s/g, '')).toBe(message.body)
  })

  test('an Arabic delivery says its line in Arabic where there are words for it, and carries the others', () => {
    const words = aContext().words
    const language = words.languages.find((tag) => tag === 'ar') ?? 'en'
    const card = JSON.parse(wireOf(firstOf(renderLark(failure, aContext({ language })).parts)).content)
    expect(card.header.title.content).toBe(`⚠️ ${words.say(language, 'header.cause.timeout')}`)
    expect(card.header.title.i18n_content.en_us).toContain('out of time')
  })
})

describe('long answers', () => {
  const long = Array.from(
    { length: 60 },
    (_, at) => `Marker S${at}. ${'A sentence of some length. '.repeat(60)}`,
  ).join('\n\n')

  test('two parts are not numbered, three are', () => {
    expect(footersOf(renderLark(anAnswer('word '.repeat(6_000)), aContext()).parts)).toEqual([[], []])
    expect(footersOf(renderLark(anAnswer('word '.repeat(11_000)), aContext()).parts)).toEqual([
      ['Part 1 of 3'],
      ['Part 2 of 3'],
      ['Part 3 of 3'],
    ])
  })

  test('too many parts become the first, a line that says so, and the whole as a file', () => {
    const { parts } = renderLark(anAnswer(long), aContext())
    expect(parts.map(({ kind }) => kind)).toEqual(['message', 'file'])
    expect(footersOf(parts)[0]).toEqual(['The full answer is in the attached file (99 kB).'])
    expect(bodyOf(lastOf(parts))).toBe(long)
  })

  test('without files every part is sent', () => {
    const { parts } = renderLark(anAnswer(long), aContext({ files: false }))
    expect(parts.length).toBeGreaterThan(4)
    expect(wordsOf(parts.map(bodyOf).join('\n'))).toBe(wordsOf(long))
  })

  test('past a megabyte the text is not split to find that out', () => {
    const huge = long.repeat(60)
    const started = renderLark(anAnswer(huge), aContext())
    expect(started.parts.map(({ kind }) => kind)).toEqual(['message', 'file'])
    expect(bodyOf(lastOf(started.parts))).toBe(huge)
    const without = renderLark(anAnswer(huge), aContext({ files: false }))
    expect(without.parts.length).toBeLessThanOrEqual(4)
    expect(footersOf(without.parts).at(-1)).toContain('This answer is too long to show here in full.')
  })
})

test('an answer without visible words gives no part', () => {
  for (const body of ['', ' \n', '\u200b', '<br>'])
    expect(renderLark(anAnswer(body), aContext()).parts).toEqual([])
})

const fragment = fc.constantFrom(
  '# Head\n\n',
  '**bold**',
  '*it*',
  '~~s~~',
  '`code`',
  '\n\n',
  '\n',
  ' ',
  '- item\n',
  '1. one\n',
  '    - deep\n',
  '> quote\n',
  '```ts\nconst a = 1\n```\n',
  '```',
  '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
  '| x |',
  '[l](https://e.com/a_(b)?x=1)',
  '![i](https://e.com/i.png)',
  '<at id=all></at>',
  '&lt;at user_id="all"&gt;',
  '<AT',
  ' ID=ALL>',
  '<person id=ou_1>',
  '<@U1>',
  '<!channel>',
  '汉字',
  '**汉**字',
  '한국어',
  'مرحبا',
  '👨‍👩‍👧‍👦',
  '\ud83d',
  '\u202e',
  '\u0000',
  '"quoted"',
  '\\',
  '&',
  '<',
  '>',
  '[',
  ']',
  '(',
  ')',
  '~',
  '|',
  '---\n',
  '[^1]',
  ' https://e.com/x ',
  'word',
  'snake_case',
)
const markdown = fc.array(fragment, { maxLength: 120 }).map((parts) => parts.join(''))

test('random Markdown: budgets hold, nothing pings, fences balance, no word is lost', () => {
  fc.assert(
    fc.property(markdown, (body) => {
      const { parts } = renderLark(anAnswer(body), aContext())
      expectGoodCards(parts)
      expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(body))
    }),
    { numRuns: 150 },
  )
})

test('random cuts of long Markdown: no word is lost or repeated across parts', () => {
  const source = readCorpus()
    .filter(({ name }) => /^(12|14|43|56|60|61|62|72)-/.test(name))
    .map(({ message }) => message.body)
    .join('\n\n')
  fc.assert(
    fc.property(
      fc.nat({ max: source.length - 1 }),
      fc.integer({ min: 100, max: 60_000 }),
      (start, length) => {
        const body = source.slice(start, start + length)
        const { parts } = renderLark(anAnswer(body), aContext({ files: false }))
        expectGoodCards(parts)
        expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(body))
      },
    ),
    { numRuns: 25 },
  )
})

function firstOf(parts: readonly Part[]): Part {
  const [first] = parts
  if (first === undefined) throw new RangeError('no part')
  return first
}

function lastOf(parts: readonly Part[]): Part {
  return firstOf(parts.slice(-1))
}

function without(object: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}

/** The lines under each card's answer. */
function footersOf(parts: readonly Part[]): readonly (readonly string[])[] {
  return parts
    .filter((part) => part.kind === 'message')
    .map((part) => {
      const elements: readonly { tag: string; text: { content: string } }[] = JSON.parse(wireOf(part).content)
        .body.elements
      const after = elements.slice(elements.findIndex(({ tag }) => tag === 'markdown') + 1)
      return after.filter(({ tag }) => tag === 'div').map(({ text }) => text.content)
    })
}
