import { describe, expect, test } from 'vitest'
import { LineReader, MAX_LINE_BYTES } from '../../../src/contract/stream-json/line-reader.js'

function read(...chunks: readonly (Uint8Array | string)[]): {
  readonly lines: string[]
  readonly isLineTooLong: boolean
} {
  const lines: string[] = []
  const reader = new LineReader((line) => lines.push(line))
  for (const chunk of chunks) reader.push(chunk)
  reader.finish()
  return { lines, isLineTooLong: reader.isLineTooLong }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

const rows = [
  { name: 'nothing', text: '', lines: [] },
  { name: 'a last line without newline', text: 'a\nb', lines: ['a', 'b'] },
  { name: 'carriage returns are content', text: 'a\r\nb\r\n', lines: ['a\r', 'b\r'] },
  { name: 'a byte order mark is content', text: '\ufeffa\n', lines: ['\ufeffa'] },
  {
    name: 'wide characters among ASCII lines',
    text: 'a\n完\nb\n👍\nc\n',
    lines: ['a', '完', 'b', '👍', 'c'],
  },
]

describe('lines', () => {
  for (const { name, text, lines } of rows) {
    test(`from text: ${name}`, () => expect(read(text).lines).toEqual(lines))
    test(`from bytes: ${name}`, () => expect(read(bytes(text)).lines).toEqual(lines))
    test(`byte by byte: ${name}`, () => {
      expect(read(...Array.from(bytes(text), (byte) => Uint8Array.of(byte))).lines).toEqual(lines)
    })
  }

  test('the caller may reuse its buffer', () => {
    const buffer = bytes('ab')
    const lines: string[] = []
    const reader = new LineReader((line) => lines.push(line))
    reader.push(buffer)
    buffer.set(bytes('c\n'))
    reader.push(buffer)
    expect(lines).toEqual(['abc'])
  })

  test('broken UTF-8 does not swallow the end of its line', () => {
    expect(read(Uint8Array.of(0x61, 0xe5, 0x0a, 0x62)).lines).toEqual(['a\ufffd', 'b'])
  })

  test('many windows of mixed lines come out in order', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      index % 3000 < 40 ? `${index} 完成` : `${index} done`,
    )
    const all = read(bytes(lines.join('\n')))
    expect(all.lines).toEqual(lines)
  })
})

describe('the longest line', () => {
  const longest = 'x'.repeat(MAX_LINE_BYTES)
  const wide = '完'.repeat((MAX_LINE_BYTES - 1) / 3)
  const accepted = [
    { name: 'with newline', text: `${longest}\nend` },
    { name: 'of wide characters', text: `${wide}x\nend` },
  ]
  const refused = [
    { name: 'with newline', text: `a\n${longest}x\nend` },
    { name: 'without newline', text: `a\n${longest}x` },
    { name: 'of wide characters', text: `a\n${wide}xx\nend` },
  ]
  for (const { name, text } of accepted) {
    test(`is read, ${name}`, () => {
      for (const chunk of [text, bytes(text)]) {
        const { lines, isLineTooLong } = read(chunk)
        expect([lines.length, lines[1], isLineTooLong]).toEqual([2, 'end', false])
      }
    })
  }
  for (const { name, text } of refused) {
    test(`one byte more ends the reading, ${name}`, () => {
      for (const chunk of [text, bytes(text)])
        expect(read(chunk)).toEqual({ lines: ['a'], isLineTooLong: true })
    })
  }
})
