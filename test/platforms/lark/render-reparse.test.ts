import fc from 'fast-check'
import type { Nodes, Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { blocksMarkdown } from '../../../src/platforms/lark/render-blocks.js'
import { prepareBlocks } from '../../../src/platforms/lark/render-prepare.js'
import { parseMarkdown } from '../../../src/render/document.js'
import { makeSafe } from '../../../src/render/safety.js'
import { readCorpus } from '../../render/corpus/read.js'
import { wordsOf } from './render-checks.js'

/**
 * Lark's clients parse plain CommonMark with GFM tables, not our dialect with its help for Chinese and Japanese.
 * Another parser stands in for them here: what we write must mean there what the agent meant here.
 */
const PLAIN = unified().use(remarkParse).use(remarkGfm)

/** Nodes that a reader sees as such. */
const COUNTED = [
  'strong',
  'emphasis',
  'delete',
  'inlineCode',
  'code',
  'table',
  'list',
  'listItem',
  'blockquote',
  'heading',
  'thematicBreak',
] as const

interface Shown {
  readonly letters: string
  readonly counts: Readonly<Record<string, number>>
  readonly foreign: readonly string[]
}

function shownBy(root: Root): Shown {
  const counts: Record<string, number> = {}
  const foreign: string[] = []
  let text = ''
  const walk = (node: Nodes, within: readonly string[]): void => {
    counts[node.type] = (counts[node.type] ?? 0) + weight(node.type, within)
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code') text += node.value
    if (node.type === 'html' && !/^<(?:at id=ou_allowed1|\/at)>$/.test(node.value)) foreign.push(node.value)
    if (node.type === 'image' || node.type === 'definition') foreign.push(node.type)
    if ('children' in node) for (const child of node.children) walk(child, [...within, node.type])
  }
  walk(root, [])
  return { letters: text.replaceAll(/[^\p{L}\p{N}]/gu, ''), counts, foreign }
}

/** Emphasis inside itself, and bold in a heading, show nothing of their own. */
function weight(type: string, within: readonly string[]): number {
  if (type === 'strong' && within.includes('heading')) return 0
  return ['strong', 'emphasis', 'delete'].includes(type) && within.includes(type) ? 0 : 1
}

/** The same counts of the tree we render from. */
function countsOf(markdown: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  const walk = (node: unknown, within: readonly string[]): void => {
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const type = String(node.type)
    counts[type] = (counts[type] ?? 0) + weight(type, within)
    if ('children' in node && Array.isArray(node.children))
      for (const child of node.children) walk(child, [...within, type])
  }
  for (const block of prepareBlocks(parseMarkdown(markdown).children, 'native')) walk(block, [])
  return counts
}

for (const { name, message } of readCorpus()) {
  if (message.body === null) continue
  test(`a plain CommonMark client sees ${name} as it was meant`, () => {
    const { text } = makeSafe(message.body ?? '', ['correct-horse-battery-staple'])
    const blocks = prepareBlocks(parseMarkdown(text).children, 'native')
    const markdown = blocksMarkdown(blocks, { mentions: ['ou_allowed1'], headings: true })
    const shown = shownBy(PLAIN.parse(markdown))
    expect(shown.foreign).toEqual([])
    const mentions = text.includes('<at id=ou_allowed1>') ? 'ouallowed1' : ''
    expect(shown.letters).toBe(wordsOf(text).replace(mentions, ''))
    const expected = countsOf(text)
    for (const type of COUNTED) expect([type, shown.counts[type] ?? 0]).toEqual([type, expected[type] ?? 0])
  })
}

const emphasis = fc.constantFrom(
  '**粗体**',
  '**“引号”**',
  '**结论:**',
  '*强调*',
  '~~删除~~',
  '**bold**',
  '**(b)**',
  '*it*',
  '`code`',
  '[链接](https://e.com/a)',
  '[**b**](https://e.com/)',
)
const neighbour = fc.constantFrom(
  '汉字',
  '。',
  ',',
  '「',
  'word',
  ' ',
  '한국어',
  '!',
  '\n1. ',
  '\n- ',
  '#',
  '|',
  '&',
  '<b>',
  '\n',
  '"',
  '\\*',
  '\\_',
)

test('emphasis beside any neighbour is emphasis for a plain CommonMark client', () => {
  fc.assert(
    fc.property(
      fc
        .array(fc.tuple(neighbour, emphasis, neighbour), { maxLength: 6 })
        .map((parts) => parts.flat().join('')),
      (body) => {
        const blocks = prepareBlocks(parseMarkdown(body).children, 'native')
        const shown = shownBy(PLAIN.parse(blocksMarkdown(blocks, { mentions: [], headings: true })))
        expect(shown.foreign).toEqual([])
        expect(shown.letters).toBe(wordsOf(body))
        const expected = countsOf(body)
        for (const type of ['strong', 'emphasis', 'delete', 'inlineCode', 'list', 'heading', 'blockquote'])
          expect([type, shown.counts[type] ?? 0]).toEqual([type, expected[type] ?? 0])
      },
    ),
    { numRuns: 200 },
  )
})
