import { describe, expect, test } from 'vitest'
import { classifyAnswer } from '../../../src/platforms/lark/classify.js'
import { LARK_LIMITS } from '../../../src/platforms/lark/limits.js'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { PART_FILENAME, simplifyLark } from '../../../src/platforms/lark/render-simplify.js'
import type { Part } from '../../../src/render/part.js'
import { checkCard } from '../../../src/sandbox/lark/card.js'
import { markdownTables } from '../../../src/sandbox/lark/card-component.js'
import { readCorpus } from '../../render/corpus/read.js'
import { PING, wordsOf } from './render-checks.js'
import { aContext, anAnswer, bodyOf, cardMarkdown, sizeOf, wireOf } from './render-support.js'

const ANSWER = [
  '## Plan <at id=all></at>',
  '**Step 1** run `make`, ask <at id=ou_allowed1></at>',
  '```sh\nmake -j4\n```',
  '| a | b |\n| --- | --- |\n| 1 | 二 |',
  '1. one\n   - two',
].join('\n\n')

function cardOf(markdown: string): Part {
  const [part] = renderLark(anAnswer(markdown), aContext()).parts
  if (part === undefined) throw new RangeError('no part')
  return part
}

function down(part: Part, code: string): readonly Part[] {
  return simplifyLark(part, code, aContext()) ?? []
}

function typesOf(parts: readonly Part[]): readonly string[] {
  return parts.map((part) =>
    part.kind === 'file' ? `file ${part.filename}` : `${wireOf(part).msg_type} ${part.rung}`,
  )
}

/** The code a refusal of Lark is known by, through our own classifier. */
function codeOf(body: { readonly code: number; readonly msg: string }): string {
  return classifyAnswer({ status: 400, headers: {}, body })?.code ?? 'accepted'
}

const ladder: readonly (readonly [
  string,
  { readonly code: number; readonly msg: string },
  readonly string[],
])[] = [
  [
    'too many tables: the same card with tables as code',
    { code: 230099, msg: 'ext=ErrCode: 11310; ErrMsg: card table number over limit' },
    ['interactive simple'],
  ],
  [
    'too long: smaller cards',
    { code: 230025, msg: 'The length of the message content reaches its limit.' },
    ['interactive simple'],
  ],
  [
    'too large for the card service: smaller cards',
    { code: 230099, msg: 'ErrCode: 200860; too large' },
    ['interactive simple'],
  ],
  ['cards cannot be sent here: a post', { code: 230054, msg: 'type unavailable' }, ['post simple']],
  ['a bad card: a post', { code: 230099, msg: 'ErrCode: 200621; parse card json err' }, ['post simple']],
  ['a bad mention: a post', { code: 230099, msg: 'ErrCode: 100290; invalid at user' }, ['post simple']],
  ['no reason known: a post', { code: 230099, msg: 'Failed to create card content' }, ['post simple']],
]
for (const [name, refusal, types] of ladder) {
  test(`a refused card becomes simpler, ${name}`, () => {
    expect(typesOf(down(cardOf(ANSWER), codeOf(refusal)))).toEqual(types)
  })
}

test('a card with too many tables keeps everything but the tables', () => {
  const [simple] = down(cardOf(ANSWER), '230099.11310')
  if (simple === undefined) throw new RangeError('no part')
  const markdown = cardMarkdown(simple)
  expect(markdownTables(markdown)).toBe(0)
  expect(markdown).toContain('```\na   | b\n----|----\n1   | 二\n```')
  expect(markdown).toContain('## Plan')
  checkCard(JSON.parse(wireOf(simple).content), (openId) => openId === 'ou_allowed1')
})

test('a card that is too long is cut in smaller ones that say the same', () => {
  const part = cardOf('A "quoted" line of \\ slashes.\n\n'.repeat(400))
  const parts = down(part, '230025')
  expect(parts.length).toBe(2)
  for (const smaller of parts) expect(sizeOf(smaller)).toBeLessThan(LARK_LIMITS.cardBytes.budget / 2 + 1_000)
  expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(bodyOf(part)))
})

test('a post has no raw headings or tables, keeps code and allowed mentions, and pings nobody else', () => {
  const [post] = down(cardOf(ANSWER), '230054')
  expect(post === undefined ? null : JSON.parse(wireOf(post).content)).toEqual({
    en_us: {
      content: [
        [
          {
            tag: 'md',
            text: [
              '**Plan @all**',
              '**Step 1** run `make`, ask <at id=ou_allowed1></at>',
              '```sh\nmake -j4\n```',
              '```\na   | b\n----|----\n1   | 二\n```',
              '1. one\n    - two',
            ].join('\n\n'),
          },
        ],
      ],
    },
  })
})

test('a post is in the language of the delivery as far as Lark documents it', () => {
  const part = cardOf('你好')
  for (const [language, locale] of [
    ['zh-Hans', 'zh_cn'],
    ['en', 'en_us'],
    ['de', 'en_us'],
  ] as const) {
    const known = aContext().words.languages.find((tag) => tag === language)
    const [post] =
      simplifyLark(part, '230054', aContext(known === undefined ? {} : { language: known })) ?? []
    expect(post === undefined ? [] : Object.keys(JSON.parse(wireOf(post).content))).toEqual([
      known === undefined ? 'en_us' : locale,
    ])
  }
})

test('the ladder goes card, post, text, file, and ends', () => {
  const [post] = down(cardOf(ANSWER), '230054')
  const [text] = post === undefined ? [] : down(post, '230054')
  expect(text === undefined ? null : JSON.parse(wireOf(text).content)).toEqual({
    text: [
      'Plan @all',
      'Step 1 run make, ask @ou_allowed1',
      'make -j4',
      'a   | b\n----|----\n1   | 二',
      '1. one',
      '    • two',
    ].join('\n'),
  })
  const [file] = text === undefined ? [] : down(text, '230001')
  expect(file === undefined ? [] : typesOf([file])).toEqual([`file ${PART_FILENAME}`])
  expect(file === undefined ? 'no file' : simplifyLark(file, '234006', aContext())).toBeNull()
  expect(text === undefined ? 'no text' : simplifyLark(text, '230001', aContext({ files: false }))).toBeNull()
})

test('a text shows tags of any kind as they stand', () => {
  const part = cardOf('`<at user_id="all">` <b>bold</b> [x](https://e.com) a < b')
  const [post] = down(part, '230054')
  const [text] = post === undefined ? [] : down(post, '230001')
  const shown = text === undefined ? '' : bodyOf(text)
  expect(shown).not.toMatch(PING)
  expect(shown).not.toMatch(/<[a-z/]/i)
  expect(shown.replaceAll('\u2060', '')).toBe('<at user_id="all"> <b>bold</b> x (https://e.com) a < b')
})

test('a refused card keeps its header and diagnostic as words', () => {
  const { parts } = renderLark(
    {
      kind: 'notice',
      header: { key: 'header.cause.timeout', vars: {} },
      diagnostic: 'after 30 s',
      body: 'half',
      buttons: [],
    },
    aContext(),
  )
  const [part] = parts
  expect(part === undefined ? '' : bodyOf(down(part, '230054')[0] ?? part)).toBe(
    '**⚠️ The agent ran out of time before it finished.**\n\nafter 30 s\n\nhalf',
  )
})

describe('a refused answer file becomes the cards after its preview', () => {
  const long = Array.from(
    { length: 60 },
    (_, at) => `Marker S${at}. ${'A sentence of some length. '.repeat(60)}`,
  ).join('\n\n')
  for (const header of [null, { key: 'header.cause.timeout', vars: {} }] as const) {
    test(header === null ? 'of an answer' : 'of a notice', () => {
      const kind = header === null ? 'answer' : 'notice'
      const { parts } = renderLark({ kind, header, diagnostic: null, body: long, buttons: [] }, aContext())
      const [preview, file] = parts
      if (preview === undefined || file === undefined) throw new RangeError('no file')
      const shown = [preview, ...down(file, '234006')].map(bodyOf).join('\n\n')
      expect(wordsOf(shown)).toBe(wordsOf(long))
    })
  }
})

describe('nothing pings and nothing is lost on any rung', () => {
  for (const { name, message } of readCorpus().filter(({ name }) => !/^(6[1-5]|71)/.test(name))) {
    test(name, () => {
      for (const part of renderLark(message, aContext()).parts) {
        const posts = down(part, '230054')
        const texts = posts.flatMap((post) => down(post, '230001'))
        expect(wordsOf(posts.map(bodyOf).join('\n\n'))).toBe(wordsOf(part.markdown))
        for (const rung of [...posts, ...texts]) {
          expect(bodyOf(rung).replaceAll('<at id=ou_allowed1></at>', '')).not.toMatch(PING)
          expect(sizeOf(rung)).toBeLessThanOrEqual(LARK_LIMITS.postBytes.budget)
        }
      }
    })
  }
})
