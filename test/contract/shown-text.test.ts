import { describe, expect, test } from 'vitest'
import type { Content } from '../../src/contract/content.js'
import type { SilenceKind } from '../../src/contract/decision.js'
import { withoutReasoning } from '../../src/contract/reasoning.js'
import { shownText } from '../../src/contract/shown-text.js'
import { isVisible, trimInvisible } from '../../src/contract/visible-text.js'

describe('visible', () => {
  test.each(['0', 'false', 'null', '.', '-', '👍', '\u200B0', ' \n!\n', '。'])(
    '%j shows something',
    (text) => {
      expect(isVisible(text)).toBe(true)
    },
  )

  test.each([
    '',
    ' ',
    '\n\t',
    '\u00A0',
    '\u3000',
    '\u200B\u200C\u200D\u2060\uFEFF',
    '\u00AD',
    '\u202E',
    '\u3164',
    '\u2800',
    '\uFE0F',
    '\u0000',
  ])('%j shows nothing', (text) => {
    expect(isVisible(text)).toBe(false)
  })

  test('invisible characters are trimmed at both ends only', () => {
    expect(trimInvisible('\u200B \u{E0020}a b\u{1F44D} \u2060\n')).toBe('a b\u{1F44D}')
  })
})

describe('reasoning', () => {
  test.each([
    {
      name: 'a closed tag',
      text: '<think>The user wants…</think>\nThe answer is 7.',
      shown: 'The answer is 7.',
    },
    {
      name: 'a missing opening tag',
      text: 'step A … step B</think>The answer is 7.',
      shown: 'The answer is 7.',
    },
    { name: 'a missing closing tag', text: '<think>only reasoning, cut off', shown: '' },
    { name: 'text before an unclosed tag', text: 'Done.\n<think>now what', shown: 'Done.\n' },
    { name: 'reasoning between two texts', text: 'A <think>x</think>B', shown: 'A B' },
    { name: 'several', text: '<think>a</think>One <thinking>b</thinking>two', shown: 'One two' },
    { name: 'nested tags', text: '<think>a<think>b</think>c</think>Answer', shown: 'Answer' },
    { name: 'upper case', text: '<THINK>a</THINK>Answer', shown: 'Answer' },
    {
      name: 'tags in a fence',
      text: '```xml\n<think>x</think>\n```',
      shown: '```xml\n<think>x</think>\n```',
    },
    {
      name: 'tags in backticks',
      text: 'Use `<think>` and `</think>`.',
      shown: 'Use `<think>` and `</think>`.',
    },
    { name: 'tags in double backticks', text: '``a ` <think>``', shown: '``a ` <think>``' },
    { name: 'reasoning, then tags in code', text: '<think>x</think>Use `<think>`.', shown: 'Use `<think>`.' },
    {
      name: 'reasoning that leaves a fence open',
      text: '<think>try\n```js\nf()</think>Answer',
      shown: 'Answer',
    },
    {
      name: 'reasoning that leaves a fence open, then tags in code',
      text: '<think>try\n```js\nf()</think>Answer `</think>`',
      shown: 'Answer `</think>`',
    },
    { name: 'reasoning with a lone backtick', text: "<think>don`t</think>It's `7`.", shown: "It's `7`." },
    {
      name: 'backticks of different paragraphs',
      text: 'a ` b\n\n<think>x</think>c ` d',
      shown: 'a ` b\n\nc ` d',
    },
    { name: 'no tags', text: ' plain \n', shown: ' plain \n' },
    { name: 'a tag that only looks alike', text: '<thinker>x</thinker>', shown: '<thinker>x</thinker>' },
  ])('$name', ({ text, shown }) => {
    expect(withoutReasoning(text)).toBe(shown)
  })

  test.each([
    { piece: '<think>`</think>', shown: '' },
    { piece: '<think>', shown: '' },
    { piece: '</think>', shown: '' },
    { piece: '`</think>`<think>', shown: '`</think>`' },
    { piece: '```\n<think>', shown: `${'```\n<think>'.repeat(100_000)}</think>` },
  ])('a hundred thousand of $piece are read in one pass', ({ piece, shown }) => {
    expect(withoutReasoning(`${piece.repeat(100_000)}</think>`) === shown).toBe(true)
  })
})

describe('silence', () => {
  const rows: readonly {
    readonly name: string
    readonly content: Content | null
    readonly silence: SilenceKind
  }[] = [
    { name: 'nothing', content: null, silence: 'no_output' },
    { name: 'empty text', content: '', silence: 'no_output' },
    { name: 'an empty list', content: [], silence: 'no_output' },
    { name: 'white space', content: ' \n', silence: 'blank_output' },
    { name: 'a blank text block', content: [{ type: 'text', text: '\u200B' }], silence: 'blank_output' },
    { name: 'a tool call', content: [{ type: 'tool-call' }], silence: 'no_text_blocks' },
    {
      name: 'an image and blank text',
      content: [{ type: 'image' }, { type: 'text', text: ' ' }],
      silence: 'no_text_blocks',
    },
    { name: 'reasoning alone', content: [{ type: 'reasoning', text: 'hm' }], silence: 'reasoning_only' },
    { name: 'inline reasoning alone', content: '<think>hm</think>\n', silence: 'reasoning_only' },
    { name: 'a token', content: 'NO_REPLY', silence: 'silence_token' },
    { name: 'a token amid white space', content: '\n NO_REPLY\u200B\n', silence: 'silence_token' },
    { name: 'a token after reasoning', content: '<think>be quiet</think>NO_REPLY', silence: 'silence_token' },
    { name: 'a token twice', content: 'NO_REPLY\nNO_REPLY', silence: 'silence_token' },
  ]
  test.each(rows)('$name', ({ content, silence }) => {
    expect(shownText(content, ['NO_REPLY', ' '])).toEqual({ kind: 'silence', silence })
  })

  test.each([
    { name: 'a token in prose', text: 'Answer with `NO_REPLY` and nothing else.', shown: null },
    { name: 'a token at the end of a sentence', text: 'The marker is NO_REPLY', shown: null },
    { name: 'a longer word', text: 'NO_REPLY_EVER', shown: null },
    { name: 'another case', text: 'no_reply', shown: null },
    { name: 'a token in an open fence', text: 'Use:\n```\nNO_REPLY', shown: null },
    { name: 'a closing line', text: 'Deploy finished.\n\nNO_REPLY', shown: 'Deploy finished.' },
    { name: 'a closing line after code', text: '```\nx\n```\nNO_REPLY\n', shown: '```\nx\n```' },
    { name: 'a first line', text: 'NO_REPLY\nDeploy finished.', shown: null },
  ])('$name is shown', ({ text, shown }) => {
    expect(shownText(text, ['NO_REPLY'])).toEqual({ kind: 'text', text: shown ?? text })
  })

  test('without configured tokens nothing means silence', () => {
    expect(shownText('NO_REPLY', [])).toEqual({ kind: 'text', text: 'NO_REPLY' })
  })

  test('text blocks are joined without a separator, others show nothing', () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'tool-call' }, { type: 'text', text: 'b' }]
    expect(shownText(content, [])).toEqual({ kind: 'text', text: 'ab' })
  })
})
