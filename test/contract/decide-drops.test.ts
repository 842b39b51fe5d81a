import { describe, expect, test } from 'vitest'
import { decide } from '../../src/contract/decide.js'
import type { Decision, DropReason } from '../../src/contract/decision.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import { aRun, inSurface, NO_TOKENS, NOW_MS } from './a-run.js'

const relay: Decision = { kind: 'relay', text: 'said' }
const drop = (why: DropReason): Decision => ({ kind: 'drop', why, silence: null })

describe('what is dropped before anything is read', () => {
  test.each([
    { name: 'superseded', run: { supersededBy: 'run-2' }, expected: drop('superseded') },
    { name: 'expired at this very moment', run: { expiresAtMs: NOW_MS }, expected: drop('expired') },
    { name: 'not yet expired', run: { expiresAtMs: NOW_MS + 1 }, expected: relay },
    { name: 'asked on the web', run: { trigger: { via: 'web' } }, expected: drop('other_surface') },
    {
      name: 'asked on the other platform',
      run: { trigger: { via: 'lark' } },
      expected: drop('other_surface'),
    },
    { name: 'asked on this platform', run: { trigger: { via: 'Slack' } }, expected: relay },
    {
      name: 'scheduled on the web',
      run: { trigger: { kind: 'schedule', via: 'web' } },
      expected: relay,
    },
    { name: 'completed although a retry was announced', run: { retryPending: true }, expected: relay },
    {
      name: 'superseded before expired before elsewhere',
      run: { supersededBy: 'run-2', expiresAtMs: 0, trigger: { via: 'web' } },
      expected: drop('superseded'),
    },
    {
      name: 'expired before elsewhere',
      run: { expiresAtMs: 0, trigger: { via: 'web' } },
      expected: drop('expired'),
    },
  ] as const)('$name', ({ run, expected }) => {
    expect(decide(aRun({ outcome: { output: 'said' }, ...run }), inSurface('channel'), NO_TOKENS)).toEqual(
      expected,
    )
  })

  test('a question asked in Feishu is answered in Lark', () => {
    const conversation = {
      platform: 'lark',
      tenant: null,
      place: { kind: 'conversation', id: 'oc_1' },
      replyTo: null,
      thread: null,
      surface: null,
    } as const
    const run = aRun({ conversation, trigger: { via: 'feishu' }, outcome: { output: 'said' } })
    expect(decide(run, inSurface('direct'), NO_TOKENS)).toEqual(relay)
  })

  test.each(RUN_STATUSES.filter((status) => status !== 'completed'))(
    '%s while a retry is pending',
    (status) => {
      const run = aRun({ retryPending: true, outcome: { status, partialOutput: 'said' } })
      expect(decide(run, inSurface('direct'), NO_TOKENS)).toEqual(drop('retry_pending'))
    },
  )
})
