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
