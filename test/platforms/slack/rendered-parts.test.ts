import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWords } from '../../../src/locales.js'
import type { RenderContext } from '../../../src/render/message.js'
import type { Part } from '../../../src/render/part.js'
import { type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { aMarker, aTarget, slackOn } from '../../support/slack/platform.js'

const CONTEXT: RenderContext = {
  words: createWords(),
  language: 'en',
  installationLanguage: 'en',
  mentions: [],
  secrets: [],
  maxParts: 20,
  files: true,
}

let fake: SlackFake
let slack: ReturnType<typeof slackOn>
beforeAll(async () => {
  fake = await startSlackFake()
  slack = slackOn(fake)
})
afterAll(async () => {
  await slack.close()
  await fake.close()
})

const table = (rows: number, cells: number) =>
  [
    `|${' h |'.repeat(cells)}`,
    `|${' - |'.repeat(cells)}`,
    ...Array<string>(rows).fill(`|${' v |'.repeat(cells)}`),
  ].join('\n')

const ANSWERS: readonly { name: string; body: string }[] = [
  { name: 'a line', body: 'Done.' },
  {
    name: 'long Chinese',
    body: Array(400).fill('这是一段很长的中文回答，用来测试消息的分割与限制。').join('\n\n'),
  },
  { name: 'one paragraph of 30,000', body: 'word '.repeat(6_000) },
  { name: 'two tables', body: `${table(5, 3)}\n\nand\n\n${table(5, 3)}` },
  { name: 'a table of 300 rows and 30 cells', body: table(300, 30) },
  {
    name: '200 long headings, each with a word',
    body: Array(200)
      .fill(`# ${'h'.repeat(200)}\n\nword`)
      .join('\n\n'),
  },
  { name: 'a long code block', body: `\`\`\`ts\n${'const a = 1\n'.repeat(3_000)}\`\`\`` },
  { name: 'a list of 500', body: Array(500).fill('- item with `code` and **bold**').join('\n') },
  { name: 'characters that are escaped', body: '<>&'.repeat(4_000) },
  { name: 'an answer of 400,000', body: 'Paragraph of words.\n\n'.repeat(20_000) },
]

async function sendAll(parts: readonly Part[]): Promise<readonly string[]> {
  const kinds: string[] = []
  for (const [partIndex, part] of parts.entries()) {
    const result = await slack.send(aTarget(), part, aMarker({ partIndex }))
    kinds.push(result.kind === 'sent' ? 'sent' : `${result.kind} ${result.code}`)
  }
  return kinds
}

function simpler(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) =>
    part.kind === 'file' ? [] : (slack.simplify(part, 'invalid_blocks', CONTEXT) ?? []),
  )
}

describe('every rung of every answer is accepted by a strict Slack', () => {
  for (const { name, body } of ANSWERS) {
    test(name, async () => {
      const message = { kind: 'answer', header: null, diagnostic: null, body, buttons: [] } as const
      const { parts } = slack.render(message, CONTEXT)
      expect(parts.length).toBeGreaterThan(0)
      const ladder = [parts, simpler(parts), simpler(simpler(parts))]
      for (const rung of ladder) expect(new Set(await sendAll(rung))).toEqual(new Set(['sent']))
    })
  }
  test('whatever the Markdown', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(
        '# h',
        '- a',
        '> q',
        '```',
        '| a | b |',
        '| - | - |',
        '---',
        '1. x',
        '![i](https://e.co/i.png)',
        '<b>',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        const message = {
          kind: 'answer',
          header: null,
          diagnostic: null,
          body: lines.join('\n'),
          buttons: [],
        } as const
        const { parts } = slack.render(message, CONTEXT)
        expect(new Set(await sendAll([...parts, ...simpler(parts)]))).toEqual(
          parts.length > 0 ? new Set(['sent']) : new Set(),
        )
      }),
      { numRuns: 60 },
    )
  })
})
