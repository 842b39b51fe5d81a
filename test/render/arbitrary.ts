import fc from 'fast-check'

const WORDS = [
  'alpha',
  'beta',
  'done.',
  'x_y_z',
  'a*b',
  '重要',
  '必须重启。',
  '한국어',
  'مرحبا',
  'नमस्ते',
  '👨‍👩‍👧',
  '🇩🇪',
  '😀',
  'e\u0301',
  '<div>',
  '&amp;',
  '&lt;',
  '\\*',
  '\\',
  'https://example.com/a_b?x=1&y=2',
  '[label](https://e.com/(a)b)',
  '[bad](javascript:x)',
  '![alt](https://i.example/p.png)',
  '`code`',
  '``a ` b``',
  '[^1]',
  '|',
  '#',
  '>',
  '~',
  '*',
  '**',
  '_',
  '`',
  '[',
  '](',
  '!',
  '<',
  '- ',
  '1. ',
  '\t',
] as const

/** Forms that ping in Slack or Lark, plain and disguised. */
export const PINGS = [
  '<!channel>',
  '<!here>',
  '<!everyone>',
  '<!here|here>',
  '<!subteam^S12345|ops>',
  '<@U12345>',
  '<@U12345|sam>',
  '@here',
  '@channel',
  '@everyone',
  '@all',
  '<at id=all></at>',
  '<at user_id="all">all</at>',
  '&lt;!channel&gt;',
  '&#60;!here&#62;',
  '&#x3c;!everyone&#x3e;',
  '\\<!channel>',
  '`<!channel>`',
  '[<!here>](https://e.com/<!here>)',
  '[x](https://e.com/@here)',
  '**<!channel>**',
  '<!channel',
  '<<!channel>>',
] as const

const words = (pool: readonly string[]) =>
  fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 40 }).map((parts) => parts.join(' '))

/** Blocks of Markdown; `hasTables` is off where a repeated header row would count as repeated text. */
function block(pool: readonly string[], hasTables: boolean): fc.Arbitrary<string> {
  const line = words(pool)
  const kinds = [
    line,
    fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
    fc
      .tuple(
        fc.constantFrom('```', '~~~', '````'),
        fc.constantFrom('', 'ts', 'python'),
        fc.array(line, { maxLength: 60 }),
      )
      .map(([fence, lang, lines]) => `${fence}${lang}\n${lines.join('\n')}\n${fence}`),
    fc
      .array(line, { minLength: 1, maxLength: 30 })
      .map((items) => items.map((item, at) => `${at + 1}. ${item}`).join('\n')),
    fc
      .array(line, { minLength: 1, maxLength: 30 })
      .map((items) =>
        items.map((item, at) => `${'  '.repeat(at % 4)}- [${at % 2 ? 'x' : ' '}] ${item}`).join('\n'),
      ),
    fc
      .array(line, { minLength: 1, maxLength: 20 })
      .map((lines) => lines.map((text) => `> ${text}`).join('\n')),
    fc.constantFrom('---', '', '<details>', '[ref]: https://e.com'),
    fc.tuple(line, fc.integer({ min: 1, max: 400 })).map(([text, times]) => `${text} `.repeat(times)),
  ]
  const table = fc
    .tuple(
      fc.integer({ min: 1, max: 24 }),
      fc.integer({ min: 1, max: 130 }),
      fc.constantFrom('a', '**b**', '中文', 'long words in a cell'),
    )
    .map(([columns, rows, cell]) =>
      ['h', '---', ...Array<string>(rows).fill(cell)]
        .map((text) => `|${` ${text} |`.repeat(columns)}`)
        .join('\n'),
    )
  return fc.oneof(...kinds, ...(hasTables ? [table] : []))
}

/** Random Markdown, cut anywhere. */
export function markdown(options: {
  readonly hasTables: boolean
  readonly pings?: boolean
}): fc.Arbitrary<string> {
  const pool = options.pings === true ? [...WORDS, ...PINGS, ...PINGS] : WORDS
  return fc
    .tuple(
      fc.array(block(pool, options.hasTables), { minLength: 1, maxLength: 14 }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
    )
    .map(([blocks, share]) => {
      const text = blocks.join('\n\n')
      return text.slice(0, Math.ceil(text.length * share))
    })
}

/** One long block of about `chars` characters. */
const LONG_BLOCKS: readonly ((chars: number) => string)[] = [
  (chars) => 'alpha '.repeat(chars / 6),
  (chars) => 'Alpha beta. '.repeat(chars / 12),
  (chars) => 'x'.repeat(chars),
  (chars) => '必须重启。'.repeat(chars / 5),
  (chars) => `**${'bold words '.repeat(chars / 11)}x**`,
  (chars) => '[l](https://e.com/abc) '.repeat(chars / 23),
  (chars) => `\`\`\`ts\n${'const a = 1\n'.repeat(chars / 12)}\`\`\``,
  (chars) => '- item of list\n'.repeat(chars / 15),
  (chars) => `- ${'one two three. '.repeat(chars / 15)}`,
  (chars) => '> quoted words\n>\n'.repeat(chars / 17),
]

/** A long block, as full as a part or nearly so, and headings that introduce nothing, as a cut answer may end. */
export const endingInHeadings: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...LONG_BLOCKS),
    fc.integer({ min: 1_500, max: 10_000 }),
    fc.array(fc.constantFrom('Next', 'x'.repeat(140), '[l](https://e.com/a) b'), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  .map(([longBlock, chars, headings]) =>
    [longBlock(chars), ...headings.map((text, at) => `${'#'.repeat(at + 1)} ${text}`)].join('\n\n'),
  )
