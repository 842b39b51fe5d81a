import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunksOf } from '../../src/render/chunks.js'
import { parseMarkdown } from '../../src/render/document.js'
import { markdown } from './arbitrary.js'

test('a document read in chunks is the document', () => {
  fc.assert(
    fc.property(
      markdown({ hasTables: true, pings: true }),
      fc.integer({ min: 10, max: 200 }),
      (text, chunkChars) => {
        expect(chunksOf(text, chunkChars).join('')).toBe(text)
        expect(parseMarkdown(text, [], chunkChars)).toEqual(parseMarkdown(text, [], Number.MAX_SAFE_INTEGER))
      },
    ),
    { numRuns: 150 },
  )
})

test('a fence with empty lines and headings inside stays one block', () => {
  const text = `Words here.\n\n~~~sh\n# comment\n\n# other\n\nmore\n\`\`\`\n\nText\n~~~\n\nThe end.\n\nReally.`
  expect(parseMarkdown(text, [], 5)).toEqual(parseMarkdown(text))
})

test('a list holding an open fence ends at the next paragraph', () => {
  const text = `- item\n\n  \`\`\`\n  code\n\nText\n\n\`\`\`\ncode\n\nmore\n\`\`\`\n\nEnd.`
  expect(parseMarkdown(text, [], 5)).toEqual(parseMarkdown(text))
})

test('a definition far below still counts', () => {
  const text = `See [it][ref].\n\n${'Words.\n\n'.repeat(40)}[ref]: https://e.com\n`
  expect(parseMarkdown(text, [], 20).children[0]).toMatchObject({
    children: [{}, { type: 'link', url: 'https://e.com' }, {}],
  })
})
