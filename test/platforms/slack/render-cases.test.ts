import { describe, expect, test } from 'vitest'
import { renderSlack } from '../../../src/platforms/slack/render.js'
import { simplifySlack } from '../../../src/platforms/slack/render-simplify.js'
import type { RenderContext } from '../../../src/render/message.js'
import { CONTEXT, checked, ladder, rendered, shownText } from './render-support.js'

/** The `mrkdwn` of the simple rung of an answer that fits one section. */
function mrkdwn(markdown: string, context: Partial<RenderContext> = {}): string {
  const all = { ...CONTEXT, ...context }
  const [part] = rendered(markdown, all).parts
  const [simple] = part === undefined ? [] : (simplifySlack(part, 'invalid_blocks', all) ?? [])
  if (simple === undefined) throw new TypeError('no simple rendering')
  return shownText(simple)
}

function blocksOf(markdown: string, context: Partial<RenderContext> = {}) {
  return rendered(markdown, context).parts.map((part) => checked(part).blocks ?? [])
}

/** Rich text of one paragraph. */
const paragraph = (...elements: readonly unknown[]) => [
  [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
]
const bold = (text: string) => ({ type: 'text', text, style: { bold: true } })
const plain = (text: string) => ({ type: 'text', text })
const code = (text: string) => ({ type: 'text', text, style: { code: true } })

const wire: readonly (readonly [id: string, markdown: string, expected: string])[] = [
  [
    'SLK-01',
    '## Result\n\n**Done** - see [the log](https://example.com/a_b?x=1&y=2).',
    '*Result*\n\n*Done* - see <https://example.com/a_b?x=1&amp;y=2|the log>.',
  ],
  ['SLK-02', '**text**', '*text*'],
  [
    'SLK-04',
    'See <https://example.com/doc|the document> for details.',
    'See <https://example.com/doc|the document> for details.',
  ],
  [
    'SLK-05',
    'if a < b && b > c: use `vec<T>` & \n```cpp\nstd::vector<int> v; a && b;\n```',
    'if a &lt; b &amp;&amp; b &gt; c: use `vec&lt;T&gt;` &amp;\n\n```\nstd::vector&lt;int&gt; v; a &amp;&amp; b;\n```',
  ],
  ['SLK-07', 'AT&T, Q&A, already &amp; there', 'AT&amp;T, Q&amp;A, already &amp;amp; there'],
  ['SLK-07 in a text that was escaped as a whole', 'salt &amp; pepper', 'salt &amp; pepper'],
  ['SLK-08 Japanese', 'これは**重要**です。', 'これは\u200b*重要*\u200bです。'],
  ['SLK-08 punctuation inside', '结论:**必须重启。**然后再试', '结论:*必须重启。*\u200b然后再试'],
  ['SLK-08 at the start', '**标签：**正文', '*标签：*\u200b正文'],
  ['SLK-08 code', '这是`代码`吗', '这是\u200b`代码`\u200b吗'],
  ['SLK-08 Korean', '한글**강조**한글', '한글\u200b*강조*\u200b한글'],
  ['SLK-12 longer fence', '````md\n```js\nx\n```\n````', '```\n`\u200b`\u200b`js\nx\n`\u200b`\u200b`\n```'],
  ['SLK-12 tildes', '~~~\ncode ``` here\n~~~', '```\ncode `\u200b`\u200b` here\n```'],
  ['SLK-12 code span', '`` a ` b ``', '`a ˋ b`'],
  [
    'SLK-18',
    '1. **A,** one\n   - x\n   - y\n2. **B,** two\n   - z\n\n7. seven',
    '1. *A,* one\n    • x\n    • y\n2. *B,* two\n    • z\n\n7. seven',
  ],
  [
    'SLK-19',
    '1. **Ransomware**: see [x](https://example.com)\n2. *italic* item',
    '1. *Ransomware*: see <https://example.com|x>\n2. _italic_ item',
  ],
  [
    'SLK-20',
    'https://git.example.com/g/p/-/merge_requests/1 and snake_case_name and https://git.example.com/g/p/-/merge_requests/2',
    '<https://git.example.com/g/p/-/merge_requests/1> and snake_case_name and <https://git.example.com/g/p/-/merge_requests/2>',
  ],
]

describe('mrkdwn on the wire', () => {
  test.each(wire)('%s', (_id, markdown, expected) => expect(mrkdwn(markdown)).toBe(expected))
})

const rich: readonly (readonly [id: string, markdown: string, elements: readonly unknown[]])[] = [
  [
    'SLK-07 an ampersand is shown once',
    'AT&T, Q&A, already &amp; there',
    [plain('AT&T, Q&A, already &amp; there')],
  ],
  ['SLK-08', 'これは**重要**です。', [plain('これは'), bold('重要'), plain('です。')]],
  [
    'SLK-08 closing mark behind full-width punctuation',
    '结论:**必须重启。**然后再试',
    [plain('结论:'), bold('必须重启。'), plain('然后再试')],
  ],
  ['SLK-12 backticks inside code', '`` a ` b ``', [code('a ` b')]],
  [
    'SLK-23 a listed person',
    'cc <@U123ABC|sam> please',
    [plain('cc '), { type: 'user', user_id: 'U123ABC' }, plain(' please')],
  ],
  ['SLK-23 a person who is not listed', 'cc <@U9ZZZZZ|sam> please', [plain('cc sam please')]],
  ['SLK-23 a name is a name', 'cc @sam please', [plain('cc @sam please')]],
  [
    'SLK-23 a channel pings nobody',
    'see <#C123|general>',
    [plain('see '), { type: 'channel', channel_id: 'C123' }],
  ],
]

describe('rich text on the wire', () => {
  test.each(rich)('%s', (_id, markdown, elements) =>
    expect(blocksOf(markdown, { mentions: ['U123ABC'] })).toEqual(paragraph(...elements)),
  )
})

/** What stands in code on all parts, in order. */
function codeOf(markdown: string): string {
  const bodies = blocksOf(markdown).flatMap((blocks) =>
    blocks.flatMap((block) =>
      block.type === 'markdown' ? [...block.text.matchAll(/^```[^\n]*\n([\s\S]*?)\n?```$/gm)] : [],
    ),
  )
  return bodies.map(([, body = '']) => body).join('\n')
}

describe('long answers', () => {
  test('SLK-10: code is cut between lines, its fence and language reopened', () => {
    const body = Array.from(
      { length: 220 },
      (_, line) => `  select column_${line} from a_rather_long_table_name where id = ${line};`,
    ).join('\n')
    const markdown = `Here is the query:\n\n\`\`\`sql\n${body}\n\`\`\`\n\nThat is the answer.`
    const parts = blocksOf(markdown)
    expect(parts.length).toBe(2)
    expect(codeOf(markdown)).toBe(body)
    for (const blocks of parts)
      for (const block of blocks)
        if (block.type === 'markdown') expect(block.text.match(/```/g)?.length).toBe(2)
    expect(rendered(markdown).parts.map(shownText).join('\n')).toMatch(
      /^Here is the query:[\s\S]*```sql[\s\S]*```sql[\s\S]*That is the answer\./,
    )
  })

  test('SLK-11: one line longer than a message is cut without losing a character', () => {
    const line = `{"a":"${'x'.repeat(20_000)}"}`
    const { parts } = rendered(`\`\`\`json\n${line}\n\`\`\``)
    expect(parts.length).toBe(3)
    expect(codeOf(`\`\`\`json\n${line}\n\`\`\``).replaceAll('\n', '')).toBe(line)
  })

  test.each([2_999, 3_000, 3_001, 9_001, 13_500])(
    'SLK-13, SLK-15: %i characters are shown whole on every rung',
    (length) => {
      const words = `${'word '.repeat(length / 5)}`.padEnd(length, 'x')
      for (const part of rendered(words).parts) for (const rung of ladder(part)) checked(rung)
      expect(rendered(words).parts.map(shownText).join('').replaceAll(/\s/g, '')).toBe(
        words.replaceAll(' ', ''),
      )
    },
  )

  test.each([
    ['an emoji', '😀'],
    ['a family', '👨‍👩‍👧‍👦'],
    ['a flag', '🇩🇪'],
    ['combining marks', 'e\u0301\u0323'],
    ['Devanagari', 'क्षि'],
  ])('OPS-13: %s at any cut is not split', (_name, grapheme) => {
    for (const pad of [1_497, 1_498, 1_499, 1_500]) {
      const parts = rendered(`${'a'.repeat(pad)}${grapheme.repeat(3_000)}`).parts.map((part) =>
        shownText(part).replace(/\nPart \d of \d$/, ''),
      )
      expect(parts.join('') === `${'a'.repeat(pad)}${grapheme.repeat(3_000)}`).toBe(true)
      for (const part of parts) expect(part.replace(/^a*/, '').replaceAll(grapheme, '')).toBe('')
    }
  })

  test('OPS-12, OPS-13: NUL goes and a lone surrogate becomes U+FFFD', () =>
    expect(rendered('a\u0000b \ud83d c').parts.map(shownText)).toEqual(['ab \ufffd c']))

  test('OPS-14: over a megabyte is a first part, a line and a file', () => {
    const { parts } = rendered('A line of a diff that is long.\n\n'.repeat(40_000))
    expect(parts.map(({ kind, rung }) => [kind, rung])).toEqual([
      ['message', 'rich'],
      ['file', 'file'],
    ])
    expect(parts.slice(0, 1).map(shownText).join('')).toContain('The full answer is in the attached file (')
  })

  test('above the threshold: first part, one line, the whole answer as a file', () => {
    const markdown = 'Some words to fill the answer. '.repeat(2_000)
    const { parts } = rendered(markdown, { maxParts: 4 })
    expect(parts.map(({ kind }) => kind)).toEqual(['message', 'file'])
    expect(parts[1]).toMatchObject({ filename: 'answer.md', title: 'Full answer', markdown })
    const rest = parts[1] === undefined ? null : simplifySlack(parts[1], 'missing_scope', CONTEXT)
    expect(rest?.length).toBe(7)
  })

  test('the parts for a refused file go on where the beginning ended, whatever stood above it', () => {
    const body = Array.from({ length: 400 }, (_, at) => `S${at} ${'word '.repeat(20)}`).join('\n\n')
    for (const diagnostic of [null, 'd'.repeat(4_000)]) {
      const header = { key: 'header.cause.timeout', vars: {} } as const
      const { parts } = renderSlack(
        { kind: 'notice', header, diagnostic, body, buttons: [] },
        { ...CONTEXT, maxParts: 4 },
      )
      const [beginning, file] = parts
      const rest = file === undefined ? null : simplifySlack(file, 'missing_scope', CONTEXT)
      const shown = [beginning, ...(rest ?? [])].map((part) => part?.markdown ?? '').join('\n')
      expect(shown.match(/\bS\d+/g)).toEqual(body.match(/\bS\d+/g))
    }
  })

  test('parts are numbered only when there are more than two', () => {
    const counters = (words: number) =>
      rendered('Fill. '.repeat(words), { files: false }).parts.map(
        (part) => /Part \d+ of \d+/.exec(shownText(part))?.[0] ?? null,
      )
    expect(counters(1_400)).toEqual([null])
    expect(counters(2_400)).toEqual([null, null])
    expect(counters(3_500)).toEqual(['Part 1 of 3', 'Part 2 of 3', 'Part 3 of 3'])
  })
})

describe('SLK-17: tables', () => {
  const table = (rows: number, columns: number, cell: string) =>
    [
      Array(columns).fill('h'),
      Array(columns).fill('---'),
      ...Array.from({ length: rows }, () => Array(columns).fill(cell)),
    ]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n')
  const kinds = (markdown: string) => blocksOf(markdown).map((blocks) => blocks.map(({ type }) => type))

  test('the second table of a message is aligned code', () => {
    expect(kinds(`${table(1, 2, 'a')}\n\nand\n\n${table(1, 2, 'b')}`)).toEqual([['table', 'markdown']])
    expect(
      shownText(rendered(`${table(1, 2, 'a')}\n\nand\n\n${table(1, 2, 'b')}`).parts[0] ?? fail()),
    ).toContain('h   | h\n----|----\nb   | b')
  })
  test('a table of 101 rows goes on in a second message under its header', () =>
    expect(kinds(table(101, 2, 'a'))).toEqual([['table'], ['table']]))
  test('a table of 21 columns is aligned code', () =>
    expect(kinds(table(2, 21, 'a'))).toEqual([['markdown']]))
  test('a table of more than 10,000 characters is several messages', () =>
    expect(kinds(table(60, 5, 'x'.repeat(40)))).toEqual([['table'], ['table']]))
})

test('SLK-22: no link grows a preview', () => {
  for (const part of rendered('[1](https://a.example) [2](https://b.example)').parts) {
    expect(checked(part)).toMatchObject({ unfurl_links: false, unfurl_media: false })
  }
})

function fail(): never {
  throw new TypeError('no part')
}
