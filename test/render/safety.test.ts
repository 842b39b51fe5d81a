import { describe, expect, test } from 'vitest'
import { makeSafe, sanitize } from '../../src/render/safety.js'
import { MASK } from '../../src/render/secrets.js'

const texts: readonly (readonly [name: string, text: string, expected: string])[] = [
  ['plain text is untouched', 'a\tb\nc é 中文 😀', 'a\tb\nc é 中文 😀'],
  ['NUL', 'a\u0000b', 'ab'],
  ['controls and escape sequences', 'a\u0007\u001b[31mred\u001b[0m\u009fb', 'aredb'],
  ['line ends', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['bidi overrides and isolates', 'a\u202eb\u2066c\u2069d', 'abcd'],
  ['direction marks and joiners stay', 'می\u200cخواهم \u200f👨\u200d👩', 'می\u200cخواهم \u200f👨\u200d👩'],
  ['a lone surrogate', 'x\ud83dy \ude00', 'x\ufffdy \ufffd'],
  ['byte order mark and non-characters', '\ufeffa\uffff', 'a'],
]

describe('sanitize', () => {
  test.each(texts)('%s', (_name, text, expected) => expect(sanitize(text)).toBe(expected))
})

// Built from pieces, so that no scanner of repositories takes an example for a leak.
const made = (...pieces: readonly string[]) => pieces.join('')
const letters = 'A1b2C3d4E5f6G7h8I9j0'
const secrets: readonly (readonly [name: string, secret: string])[] = [
  ['Slack bot token', made('xo', 'xb-1234567890-', letters)],
  ['Slack app token', made('xa', 'pp-1-A0123-', letters)],
  ['Slack rotating token', made('xo', 'xe.xoxb-1-', letters)],
  ['Slack refresh token', made('xo', 'xe-1-', letters)],
  ['GitHub token', made('gh', 'p_', letters, letters)],
  ['GitHub fine-grained token', made('github', '_pat_', letters, '_', letters)],
  ['model provider key', made('s', 'k-proj-', letters)],
  ['AWS key id', made('AK', 'IAABCDEFGHIJKLMNOP')],
  ['JSON Web Token', made('eyJ', letters, '.eyJ', letters, '.', letters)],
  ['Lark tenant token', made('t', '-g1044', letters, letters)],
  ['private key', made('-----BEGIN RSA PRI', `VATE KEY-----\n${letters}\n-----END RSA PRI`, 'VATE KEY-----')],
  ['private key that was cut', made('-----BEGIN PRI', `VATE KEY-----\n${letters}`)],
]

describe('makeSafe', () => {
  test.each(secrets)('masks a %s', (_name, secret) =>
    expect(makeSafe(`before ${secret}`, [])).toEqual({ text: `before ${MASK}`, maskedSecrets: 1 }),
  )
  test('masks a bearer value and keeps the words before it', () =>
    expect(makeSafe(`Authorization: Bearer ${letters}`, []).text).toBe(`Authorization: Bearer ${MASK}`))
  test('masks literal secrets of the installation wherever they stand', () =>
    expect(makeSafe('a hunter2hunter2 b:hunter2hunter2', ['hunter2hunter2'])).toEqual({
      text: `a ${MASK} b:${MASK}`,
      maskedSecrets: 2,
    }))
  test('masks the longer of two secrets first', () =>
    expect(makeSafe('abcdef-ghi', ['abcdef', 'abcdef-ghi'])).toEqual({ text: MASK, maskedSecrets: 1 }))
  test('a secret too short to be one is left', () =>
    expect(makeSafe('the cat', ['cat']).text).toBe('the cat'))
  test.each([
    'risk-free-and-easy-going',
    'task-2024-sprint-planning',
    'sk-learn',
    't-shirt',
    'https://example.com/a-b_c',
  ])('leaves %s', (word) => expect(makeSafe(word, []).maskedSecrets).toBe(0))
})
