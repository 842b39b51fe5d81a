import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { isJsonObject, stringField } from '../../../src/contract/json-object.js'
import type { NoticeRecord, NoticeRefusal } from '../../../src/contract/silence/notice.js'
import { allowsSilence, NOTICE_STATES, resolveNotice } from '../../../src/contract/silence/notice.js'
import { child, silenceRows } from '../vectors/rows.js'

/** Our codes in the words of the rows, which keep the wrong session under another name. */
const ROW_CODES = {
  not_found: 'NOT_FOUND',
  wrong_conversation: 'INVALID_ARGUMENT',
  not_queued: 'CONFLICT',
  invalid_argument: 'INVALID_ARGUMENT',
} as const satisfies Record<NoticeRefusal, string>

function recordOf(record: unknown): NoticeRecord | null {
  if (!isJsonObject(record)) return null
  const state = NOTICE_STATES.find((known) => known === record.status)
  if (state === undefined) throw new TypeError('the row must have a known status')
  return {
    id: stringField(record, 'id') ?? '',
    conversation: stringField(record, 'targetSessionId') ?? '',
    kind: stringField(record, 'kind') ?? '',
    content: stringField(record, 'content') ?? '',
    replyTo: stringField(record, 'replyToMessageId'),
    source: stringField(record, 'sourceSessionId'),
    state,
  }
}

function resolveRow(step: JsonObject) {
  let readCount = 0
  const { sessionId, sessionMessageId, ...rest } = child(step, 'request')
  const claim = {
    ...rest,
    conversation: String(sessionId),
    ...(sessionMessageId === undefined ? {} : { noticeId: sessionMessageId }),
  }
  const resolution = resolveNotice(claim, () => {
    readCount += 1
    return recordOf(step.ledgerRecord)
  })
  return { resolution, readCount }
}

describe('ledger-resolution', () => {
  test.each(silenceRows('ledger-resolution'))('$name', ({ sequence, expect: expected }) => {
    const { resolution, readCount } = resolveRow(sequence[0] ?? {})
    const notice = resolution.kind === 'resolved' ? resolution.notice : null
    const code = resolution.kind === 'refused' ? ROW_CODES[resolution.code] : undefined
    if (expected.resolved !== undefined) expect(notice !== null).toBe(expected.resolved)
    if (expected.ledgerReads !== undefined) expect(readCount).toBe(expected.ledgerReads)
    if (expected.content !== undefined) expect(notice?.content).toBe(expected.content)
    if (expected.originKind !== undefined) expect(notice?.kind).toBe(expected.originKind)
    if (expected.replyToMessageId !== undefined) expect(notice?.replyTo).toBe(expected.replyToMessageId)
    expect(code).toBe(expected.errorCode)
  })

  const record: NoticeRecord = {
    id: 'notice-1',
    conversation: 'here',
    kind: 'completion',
    content: 'done',
    replyTo: 'task-1',
    source: null,
    state: 'queued',
  }

  test.each([
    { name: 'an id that is no text', claim: { conversation: 'here', noticeId: 7 }, code: 'invalid_argument' },
    {
      name: 'an edit',
      claim: { conversation: 'here', noticeId: 'notice-1', edit: 'x' },
      code: 'invalid_argument',
    },
    {
      name: 'another conversation',
      claim: { conversation: 'there', noticeId: 'notice-1' },
      code: 'wrong_conversation',
    },
    { name: 'another id', claim: { conversation: 'here', noticeId: 'notice-2' }, code: 'not_found' },
  ] as const)('$name is refused as $code', ({ claim, code }) => {
    expect(resolveNotice(claim, () => record)).toEqual({ kind: 'refused', code })
  })

  test('a copy of a resolved notice does not allow silence', () => {
    const resolution = resolveNotice({ conversation: 'here', noticeId: 'notice-1' }, () => record)
    if (resolution.kind !== 'resolved') throw new TypeError('the notice must resolve')
    expect(allowsSilence(resolution.notice, 'here')).toBe(true)
    expect(allowsSilence({ ...resolution.notice }, 'here')).toBe(false)
  })
})
