import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkdown } from '../../src/render/document.js'
import { literally } from '../../src/render/literally.js'
import { textOf } from './words-of.js'

const MARKUP = ['-', '#', '>', '1.', '***', '---', '[x]: http://a.b', '&nbsp;', '`', '| |\n|-|', '<br>']

test.each(MARKUP)('%j is shown as it is written', (text) => {
  expect(textOf(parseMarkdown(literally(text)).children)).toBe(text)
})

test('any line of ASCII is shown as it is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (text) => {
      const shown = textOf(parseMarkdown(literally(text)).children)
      expect(shown.replaceAll(/\s+/g, ' ')).toBe(text.trim().replaceAll(/\s+/g, ' '))
    }),
  )
})
