import { describe, expect, test } from 'vitest'
import { createWords } from '../../../src/locales.js'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { previewLark } from '../../../src/platforms/lark/render-preview.js'
import { simplifyLark } from '../../../src/platforms/lark/render-simplify.js'
import { renderSlack } from '../../../src/platforms/slack/render.js'
import { previewSlack } from '../../../src/platforms/slack/render-preview.js'
import { simplifySlack } from '../../../src/platforms/slack/render-simplify.js'
import type { Message, RenderContext } from '../../../src/render/message.js'
import type { Part } from '../../../src/render/part.js'
import type { PreviewPiece } from '../../../src/render/preview.js'
import { previewHtml } from '../../../src/web/console/preview.js'
import { textsOf } from '../../../src/web/console/texts.js'

const CONTEXT: RenderContext = {
  words: createWords(),
  language: 'de',
  installationLanguage: 'en',
  mentions: ['U0123456789'],
  secrets: [],
  maxParts: 4,
  files: true,
}

const BODY = `## Heading

A **bold**, *slanted* and ~~gone~~ word, \`code\`, [a link](https://example.com/a?b=1&c=2), <@U0123456789>, 1 < 2 & 3.

- one
  - inner
- [x] ticked

7. seven

> quoted

\`\`\`ts
const a = '<b>'
\`\`\`

| a | b |
| - | - |
| c | **d** |

<script>alert(1)</script>`

const answer: Message = { kind: 'answer', header: null, diagnostic: null, body: BODY, buttons: [] }
const notice: Message = {
  kind: 'notice',
  header: { key: 'header.cause.output_limit', vars: {} },
  diagnostic: 'limit 4096 & more',
  body: 'So far.',
  buttons: [
    { kind: 'continue', value: 'dlv_1' },
    { kind: 'feedback', value: 'dlv_1' },
  ],
}

const platforms = [
  ['slack', renderSlack, previewSlack, simplifySlack],
  ['lark', renderLark, previewLark, simplifyLark],
] as const

const shown = (parts: readonly Part[], preview: (part: Part) => readonly PreviewPiece[]) =>
  parts.map((part) => previewHtml(preview(part), textsOf('en')).text).join('\n')

describe.each(platforms)('what a reader saw on %s', (name, render, preview, simplify) => {
  const { parts } = render(answer, CONTEXT)
  const page = shown(parts, preview)

  test.each([
    '<strong>bold</strong>',
    '<em>slanted</em>',
    '<del>gone</del>',
    '<code>code</code>',
    'href="https://example.com/a?b=1&amp;c=2"',
    '1 &lt; 2 &amp; 3',
    'inner',
    '☑ ',
    '<ol start="7">',
    '<blockquote>',
    'const a = &#39;&lt;b&gt;&#39;',
    '<strong>d</strong>',
    'alert(1)',
  ])('has %s', (piece) => {
    expect(page).toContain(piece)
  })

  test('has no markup of the agent', () => {
    expect(page).not.toMatch(/<script|<img|<b>|on\w+=/)
  })

  test('a notice has its header in the language of the delivery, its diagnostic and its buttons', () => {
    const text = shown(render(notice, CONTEXT).parts, preview)
    const header = CONTEXT.words.say('de', 'header.cause.output_limit', {})
    const labels = (['continue', 'good', 'bad'] as const).map((key) =>
      CONTEXT.words.say('de', `button.${key}`),
    )
    for (const words of [header, 'limit 4096 &amp; more', 'So far.', ...labels]) expect(text).toContain(words)
  })

  test('every simpler rendering of it still shows the words', () => {
    const seen: string[] = []
    let level: readonly Part[] = parts
    while (level.length > 0) {
      seen.push(shown(level, preview))
      level = level.flatMap(
        (part) => simplify(part, name === 'slack' ? 'invalid_blocks' : '230099', CONTEXT) ?? [],
      )
      if (seen.length > 5) break
    }
    expect(seen.length).toBeGreaterThan(2)
    for (const text of seen) expect([text.includes('bold'), text.includes('<script')]).toEqual([true, false])
  })

  test('what is broken or from a later version is named and not thrown', () => {
    const odd: Part = {
      kind: 'message',
      rung: 'rich',
      markdown: 'words',
      content: { msg_type: 'interactive', content: '{', blocks: [{ type: 'video' }] },
    }
    expect(() => shown([odd], preview)).not.toThrow()
  })
})
