import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { html, join, outsideLink, raw } from '../../../src/web/console/html.js'

describe('html', () => {
  test('escapes text and attributes, keeps markup, leaves null out', () => {
    expect(
      html`<p title="${'"x" & \'y\''}">${'<b>'}${raw('<i>')}${null}${7}${[raw('a'), raw('b')]}</p>`.text,
    ).toBe('<p title="&quot;x&quot; &amp; &#39;y&#39;">&lt;b&gt;<i>7ab</p>')
  })

  test('nothing that comes from outside can begin a tag or leave an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(html`${text}`.text).not.toMatch(/[<>"']/)
      }),
    )
  })

  test.each([
    ['https://example.com/a?b=1&c=2', true],
    ['mailto:a@example.com', true],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//example.com', false],
    [' https://example.com', false],
  ])('a link to %s: %s', (url, isLink) => {
    expect(outsideLink(url, raw('x')).text.startsWith('<a ')).toBe(isLink)
  })

  test('join puts a separator between', () => {
    expect(join([raw('a'), raw('b')], ', ').text).toBe('a, b')
  })
})
