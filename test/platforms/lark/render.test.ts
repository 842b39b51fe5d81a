import { describe, expect, test } from 'vitest'
import { renderLark } from '../../../src/platforms/lark/render.js'
import type { Message } from '../../../src/render/message.js'
import type { Part } from '../../../src/render/part.js'
import { readCorpus } from '../../render/corpus/read.js'
import { wordsOf } from './render-checks.js'
import { expectGoodCards } from './render-good.js'
import { aContext, anAnswer, bodyOf, wireOf } from './render-support.js'

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
