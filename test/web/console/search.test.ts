import { describe, expect, test } from 'vitest'
import { insidePath } from '../../../src/web/console/login.js'
import { EVERYTHING, isFiltered, parseSearch, searchPath } from '../../../src/web/console/search.js'

describe('a search in an address', () => {
  test('empty fields of the form are no filters', () => {
    expect(parseSearch({ run: '', state: '', reason: '  ', conversation: '', installation: '' })).toEqual(
      EVERYTHING,
    )
  })

  test('what is searched for comes back from its own address', () => {
    const search = {
      run: 'run "1" & <b>',
      conversation: 'slack:T1|C1|1.2',
      reason: 'silent_channel',
      installation: 'slack:T1',
      state: 'dropped' as const,
      before: 42,
    }
    expect(parseSearch(Object.fromEntries(new URL(searchPath(search), 'http://x').searchParams))).toEqual(
      search,
    )
  })

  test.each([
    { state: 'gone' },
    { before: '-1' },
    { before: 'x' },
    { run: 'x'.repeat(301) },
    { run: ['a', 'b'] },
  ])('%j is malformed', (query) => {
    expect(parseSearch(query)).toBeNull()
  })

  test('a page further on is not a filter', () => {
    expect([isFiltered({ ...EVERYTHING, before: 5 }), isFiltered({ ...EVERYTHING, state: 'dead' })]).toEqual([
      false,
      true,
    ])
  })
})

test.each([
  ['/console', '/console'],
  ['/console/deliveries?state=dead', '/console/deliveries?state=dead'],
  ['/consolex', '/console'],
  ['//evil.example', '/console'],
  ['https://evil.example', '/console'],
  ['/console/\r\nSet-Cookie: a=b', '/console'],
  ['/v1/deliveries', '/console'],
  [null, '/console'],
])('after signing in, %j leads to %s', (given, path) => {
  expect(insidePath(given)).toBe(path)
})
