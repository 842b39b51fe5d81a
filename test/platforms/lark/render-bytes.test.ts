import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentBytes, larkContent, wireBytes } from '../../../src/platforms/lark/render-bytes.js'

const rows: readonly (readonly [string, string, number])[] = [
  ['a letter', 'a', 1],
  ['a quote is escaped twice', '"', 4],
  ['a backslash is escaped twice', '\\', 4],
  ['a line end', '\n', 3],
  ['a control character', '\u0001', 7],
  ['an umlaut', 'ü', 2],
  ['a Chinese character', '汉', 3],
  ['an emoji', '👍', 4],
  ['half an emoji is escaped', '\ud83d', 7],
]
for (const [name, text, bytes] of rows) {
  test(`wire bytes: ${name}`, () => expect(wireBytes(text)).toBe(bytes))
}

test('wire bytes are what a request body really holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const content = JSON.stringify(text)
      const body = JSON.stringify(content)
      expect(contentBytes(content)).toBe(Buffer.byteLength(body) - 2)
      // The quotes around the text inside `content` are two escaped characters.
      expect(wireBytes(text)).toBe(Buffer.byteLength(body) - 2 - 4)
    }),
  )
})

test('content is frozen as the string that is sent', () => {
  expect(larkContent('text', { text: 'a "b"' })).toEqual({
    msg_type: 'text',
    content: '{"text":"a \\"b\\""}',
  })
})
