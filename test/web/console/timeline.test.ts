import { describe, expect, test } from 'vitest'
import type { ConsoleStory } from '../../../src/store/console-story.js'
import type { AttemptRow } from '../../../src/store/delivery-list.js'
import { createFormat } from '../../../src/web/console/format.js'
import { timelineOf } from '../../../src/web/console/timeline.js'

const at = (second: number) => `2026-11-30T12:00:${String(second).padStart(2, '0')}.000Z`
const format = createFormat('en', Date.parse(at(59)))

const STORY: ConsoleStory = {
  id: 'dlv_1',
  seq: 1,
  runId: 'run_1',
  attempt: 1,
  installationId: 'slack:T1',
  conversationKey: 'slack:T1|C1',
  state: 'accepted',
  reason: null,
  decision: null,
  surface: null,
  locale: null,
  localeFrom: null,
  partCount: 0,
  sentCount: 0,
  acceptedAt: at(0),
  settledAt: null,
  expiresAt: at(59),
  parts: [],
  attempts: [],
  platform: 'slack',
  installationName: null,
  producer: 'platform',
  trigger: null,
  requester: null,
  status: null,
  stopReason: null,
  runUrl: null,
  why: null,
  silence: null,
  noticeId: null,
  noticeFinding: null,
  conversationId: null,
  unknownCount: 0,
  maskedSecrets: 0,
  neutralisedMentions: 0,
  plannedAt: null,
  frozen: [],
  told: [],
  presses: [],
  isJournalCut: false,
}

const CALL: AttemptRow = {
  partIndex: 0,
  number: 1,
  rendering: 0,
  method: 'chat.postMessage',
  startedAt: at(2),
  endedAt: at(3),
  outcome: 'sent',
  code: null,
  waitMs: null,
  vendorLogId: null,
}

const linesOf = (change: Partial<ConsoleStory>) =>
  timelineOf({ ...STORY, ...change }, format).map(({ tone, what, details }) =>
    [tone, what, ...details].join(' | '),
  )

describe('what happened to a delivery', () => {
  test('a silence says what kind, in which language it was decided and where that came from', () => {
    expect(
      linesOf({
        plannedAt: at(1),
        settledAt: at(2),
        state: 'dropped',
        decision: 'drop',
        why: 'silent_notice',
        reason: 'silent_notice',
        silence: 'reasoning_only',
        noticeId: 'ntc_1',
        noticeFinding: 'accepted',
        locale: 'ja',
        localeFrom: 'person',
      }),
    ).toEqual([
      'calm | Accepted from platform',
      'calm | Decided to show nothing | nothing to add to a completion notice (silent_notice) | The run was silent: reasoning only. | Completion notice ntc_1: accepted. | Language: ja, from the person',
      'calm | Ended: dropped | nothing to add to a completion notice (silent_notice)',
    ])
  })

  test.each([
    [{}, 'good | Called chat.postMessage for part 1 | sent | attempt 1 | 1,000 ms'],
    [
      { outcome: 'rate_limited', code: 'rate_limited', waitMs: 30_000 },
      'warn | Called chat.postMessage for part 1 | rate_limited | attempt 1 | 1,000 ms | the platform asked to wait 30 seconds',
    ],
    [
      { outcome: 'unknown', code: 'timeout', number: 2, vendorLogId: 'req-1' },
      'warn | Called chat.postMessage for part 1 | unknown | timeout | attempt 2 | 1,000 ms | log id req-1',
    ],
    [
      { method: 'find', outcome: 'look_up_absent' },
      'good | Looked for part 1 in the conversation | look_up_absent | attempt 1 | 1,000 ms',
    ],
    [
      { method: 'edit', outcome: 'sent', partIndex: 2 },
      'good | Edited a message into part 3 | sent | attempt 1 | 1,000 ms',
    ],
    [
      { outcome: 'content', code: 'invalid_blocks', rendering: 1 },
      'bad | Called chat.postMessage for part 1 | content | invalid_blocks | attempt 1 | rendering 2 | 1,000 ms',
    ],
    [
      { outcome: 'a_later_one', startedAt: at(9) },
      'bad | Called chat.postMessage for part 1 | a_later_one | attempt 1 | 0 ms',
    ],
  ] satisfies readonly (readonly [Partial<AttemptRow>, string])[])('a call %j', (change, line) => {
    expect(linesOf({ attempts: [{ ...CALL, ...change }] })[1]).toBe(line)
  })

  test('a part stands before its delivery ends, whatever the clocks of database and worker say', () => {
    const part = {
      index: 0,
      rendering: 0,
      kind: 'message',
      rung: 'rich',
      state: 'sent',
      attempt: 1,
      messageId: '1.2',
      permalink: null,
      sentAt: at(5),
      edits: false,
    }
    expect(linesOf({ state: 'delivered', settledAt: at(4), parts: [part] })).toEqual([
      'calm | Accepted from platform',
      'good | Part 1 stands in the chat | 1.2',
      'good | Ended: delivered',
    ])
  })

  test('what producers were told, and a press of a button', () => {
    const told = {
      id: 1,
      kind: 'delivery.delivered',
      atMs: Date.parse(at(6)),
      messages: [
        { endpointId: 'whk_1', state: 'sent' as const, attempts: 1, code: '200', atMs: 0 },
        { endpointId: 'whk_2', state: 'failed' as const, attempts: 9, code: null, atMs: 0 },
      ],
    }
    const presses = [{ button: 'good', person: 'U1', atMs: Date.parse(at(8)) }]
    expect(linesOf({ told: [told], presses }).slice(1)).toEqual([
      'bad | Told producers: delivery.delivered | whk_1: received, tries: 1, 200 | whk_2: given up, tries: 9',
      'calm | U1 pressed “good”',
    ])
  })
})
