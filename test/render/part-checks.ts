import { expect } from 'vitest'
import { parseMarkdown } from '../../src/render/document.js'
import type { Block } from '../../src/render/nodes.js'
import { textOf } from './words-of.js'

/** What a part shows is not blank, and more than headings, unless the whole document is nothing else. */
export function expectMoreThanHeadings(blocks: readonly Block[], source: string): void {
  const shown = blocks.filter((block) => textOf([block]).trim() !== '')
  expect(shown, source).not.toEqual([])
  const isHeading = (block: Block): boolean => block.type === 'heading'
  if (!shown.every(isHeading)) return
  const all = parseMarkdown(source).children.filter((block) => textOf([block]).trim() !== '')
  expect(all.every(isHeading), source).toBe(true)
}
