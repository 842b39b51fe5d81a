import { describe, expect, test } from 'vitest'
import { parseLarkEvent } from '../../../src/platforms/lark/events.js'
import { currentEvent, olderEvent } from '../../support/lark/events.js'
import { LARK } from '../../support/lark/seed.js'

const AT_MS = 1_790_000_000_123
const FIELDS = { appId: LARK.appId, tenant: LARK.tenant, id: 'e1', atMs: AT_MS }
const older = (type: string, event: Record<string, unknown>) =>
  parseLarkEvent(JSON.parse(olderEvent(type, event, FIELDS)))
const current = (type: string, event: Record<string, unknown>) =>
  parseLarkEvent(JSON.parse(currentEvent(type, event, FIELDS)))

describe('what an event changes', () => {
  test.each([
    ['app_ticket', { app_ticket: 't1' }, { kind: 'ticket', ticket: 't1' }],
    ['app_open', { installer: { open_id: 'ou_1' } }, { kind: 'enabled' }],
    ['app_status_change', { status: 'start_by_tenant' }, { kind: 'enabled' }],
    ['app_status_change', { status: 'stop_by_tenant' }, { kind: 'disabled', code: 'app_disabled' }],
    [
      'app_status_change',
      { status: 'stop_by_platform' },
      { kind: 'disabled', code: 'app_stopped_by_platform' },
    ],
    ['app_status_change', { status: 'new_word' }, { kind: 'other' }],
    ['app_uninstalled', {}, { kind: 'uninstalled' }],
    ['add_bot', { open_chat_id: 'oc_1' }, { kind: 'conversation_opened', chat: 'oc_1' }],
    ['remove_bot', { open_chat_id: 'oc_1' }, { kind: 'conversation_closed', chat: 'oc_1', code: '230002' }],
    ['chat_disband', { chat_id: 'oc_1' }, { kind: 'conversation_closed', chat: 'oc_1', code: '232009' }],
    ['order_paid', {}, { kind: 'other' }],
  ])('1.0 %s %j', (type, event, change) => {
    expect(older(type, event)).toEqual({ eventId: 'e1', happenedAtMs: AT_MS, tenant: LARK.tenant, change })
  })

  test.each([
    ['im.chat.member.bot.added_v1', { chat_id: 'oc_1' }, { kind: 'conversation_opened', chat: 'oc_1' }],
    [
      'im.chat.member.bot.deleted_v1',
      { chat_id: 'oc_1' },
      { kind: 'conversation_closed', chat: 'oc_1', code: '230002' },
    ],
    [
      'im.chat.disbanded_v1',
      { chat_id: 'oc_1' },
      { kind: 'conversation_closed', chat: 'oc_1', code: '232009' },
    ],
    [
      'im.chat.updated_v1',
      { chat_id: 'oc_1', after_change: { name: '新名' } },
      { kind: 'conversation_renamed', chat: 'oc_1', name: '新名' },
    ],
    [
      'im.chat.updated_v1',
      { chat_id: 'oc_1', after_change: { name: 'n', group_message_type: 'thread' } },
      { kind: 'conversation_changed', chat: 'oc_1' },
    ],
    ['im.chat.updated_v1', { chat_id: 'oc_1' }, { kind: 'conversation_changed', chat: 'oc_1' }],
    ['im.chat.member.bot.added_v1', { chat_id: '../om_1' }, { kind: 'other' }],
    ['im.message.receive_v1', { message: { chat_id: 'oc_1' } }, { kind: 'other' }],
    ['card.action.trigger', { action: {} }, { kind: 'other' }],
    [
      'card.action.trigger',
      { operator: { open_id: 'ou_1' }, action: { value: 1, form_value: { note: 'x' } } },
      {
        kind: 'card_action',
        action: {
          person: 'ou_1',
          message: null,
          chat: null,
          value: 1,
          form: { note: 'x' },
          updateToken: null,
        },
      },
    ],
  ])('2.0 %s %j', (type, event, change) => {
    expect(current(type, event)).toEqual({ eventId: 'e1', happenedAtMs: AT_MS, tenant: LARK.tenant, change })
  })
})

test('a time in microseconds is one in milliseconds', () => {
  const body = JSON.parse(currentEvent('x', {}, { ...FIELDS, atMs: AT_MS * 1_000 }))
  expect(parseLarkEvent(body)?.happenedAtMs).toBe(AT_MS)
})

test.each([
  ['nothing', null],
  ['a text', 'x'],
  ['a 2.0 event without an id', { schema: '2.0', header: { event_type: 'x', create_time: '1' }, event: {} }],
  ['a 1.0 event without a type', { type: 'event_callback', uuid: 'u', ts: '1', event: {} }],
  ['a challenge', { type: 'url_verification', challenge: 'c' }],
])('%s is no event', (_name, body) => {
  expect(parseLarkEvent(body)).toBeNull()
})
