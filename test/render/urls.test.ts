import { describe, expect, test } from 'vitest'
import { linkUrl, shownUrl } from '../../src/render/urls.js'

const urls: readonly (readonly [raw: string, link: string | null])[] = [
  ['https://example.com/a_b?x=1&y=2', 'https://example.com/a_b?x=1&y=2'],
  ['HTTP://EXAMPLE.com', 'HTTP://EXAMPLE.com'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
  ['tel:+4930123', 'tel:+4930123'],
  ['https://e.com/a b', 'https://e.com/a%20b'],
  ['javascript:alert(1)', null],
  [' java\nscript:alert(1)', null],
  ['data:text/html,x', null],
  ['file:///etc/passwd', null],
  ['slack://channel', null],
  ['/relative', null],
  ['#anchor', null],
  ['https://', null],
  [`https://e.com/${'x'.repeat(2_000)}`, null],
]

describe('linkUrl', () => {
  test.each(urls)('%j', (raw, link) => expect(linkUrl(raw)).toBe(link))
})

test('shownUrl: an anchor says nothing, data is named, the rest is shown', () =>
  expect(['#top', 'data:image/png;base64,AAAA', 'src/main.ts'].map(shownUrl)).toEqual([
    '',
    'data:image/png;base64…',
    'src/main.ts',
  ]))
