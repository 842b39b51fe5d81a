import { describe, expect, test } from 'vitest'
import { failureSections } from '../../src/contract/child/failure-sections.js'
import type { Decision } from '../../src/contract/decision.js'
import { compose } from '../../src/render/compose.js'

type Failure = Extract<Decision, { kind: 'failure' }>

function aFailure(change: Partial<Failure> = {}): Failure {
  return { kind: 'failure', status: 'failed', cause: 'unknown', diagnostic: null, partial: null, ...change }
}

describe('compose', () => {
  test('a drop shows nothing', () => {
    expect(compose({ kind: 'drop', why: 'silent_channel', silence: 'no_output' })).toBeNull()
  })

  test('an answer is the words alone', () => {
    expect(compose({ kind: 'relay', text: 'words' })).toEqual({
      kind: 'answer',
      header: null,
      diagnostic: null,
      body: 'words',
      buttons: [],
    })
  })

  test.each([
    ['https://runs.example.com/1?a=b#c', 'https://runs.example.com/1?a=b#c'],
    ['javascript:alert(1)', undefined],
    ['/runs/1', undefined],
    ['mailto:a@example.com', undefined],
    ['https://user:word@example.com/', undefined],
    [null, undefined],
  ])('a failure links to the page of its run when a chat may: %s', (runUrl, shown) => {
    expect(compose(aFailure(), { buttons: [], runUrl })?.runUrl).toBe(shown)
    expect(compose({ kind: 'relay', text: 'words' }, { buttons: [], runUrl })?.runUrl).toBeUndefined()
  })

  test.each(['no_response', 'aborted'] as const)('the notice %s is one line of ours', (notice) => {
    expect(compose({ kind: 'notice', notice, silence: null })).toMatchObject({
      kind: 'notice',
      header: { key: `notice.${notice}`, vars: {} },
      body: null,
    })
  })

  const failures: readonly [name: string, failure: Failure, header: string][] = [
    [
      'by its cause',
      aFailure({ cause: 'context_window', status: 'truncated' }),
      'header.cause.context_window',
    ],
    ['by its status when the cause is unknown', aFailure({ status: 'timeout' }), 'header.status.timeout'],
  ]
  test.each(failures)('a failure is named %s', (_name, failure, header) => {
    expect(compose(failure)?.header).toEqual({ key: header, vars: {} })
  })

  const sections = [
    { diagnostic: null, partial: null },
    { diagnostic: 'why', partial: null },
    { diagnostic: null, partial: 'so far' },
    { diagnostic: 'why', partial: 'so far' },
  ]
  test.each(sections)(
    'a chat reads the sections that a calling agent reads: %j',
    ({ diagnostic, partial }) => {
      const message = compose(aFailure({ diagnostic, partial }))
      const read = [message?.header, message?.diagnostic, message?.body].filter((part) => part !== null)
      const told = failureSections(message?.header, diagnostic, partial).map((section) =>
        section.section === 'headline' ? section.headline : section.text,
      )
      expect(read).toEqual(told)
    },
  )

  test('a busy provider is told with the time to wait, rounded up', () => {
    const message = compose(aFailure({ cause: 'provider_overload', retryAfterMs: 1_001 }))
    expect(message?.footer).toEqual({ key: 'header.retry_in', vars: { seconds: 2 } })
  })

  test('how often it happened says more than when to try again', () => {
    const failure = aFailure({ cause: 'provider_overload', retryAfterMs: 1_000 })
    expect(compose(failure, { buttons: [], repeatCount: 3 })?.footer).toEqual({
      key: 'repeated',
      vars: { count: 3 },
    })
    expect(compose(aFailure())).not.toHaveProperty('footer')
  })
})
