import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSlackEvent } from '../../../src/platforms/slack/events.js'

const envelope = (event: unknown, over: Record<string, unknown> = {}) => ({
  type: 'event_callback',
  event_id: 'Ev1',
  event_time: 1_700_000_000,
  team_id: 'T1',
  event,
  ...over,
})

describe('an event', () => {
  test.each([
    [{ type: 'app_uninstalled' }, { kind: 'uninstalled' }],
    [
      { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: ['U2'] } },
      { kind: 'tokens_revoked', botUserIds: ['U2'] },
    ],
    [
      { type: 'tokens_revoked', tokens: { oauth: ['U1'] } },
      { kind: 'tokens_revoked', botUserIds: [] },
    ],
    [
      { type: 'team_access_granted', team_ids: ['T2'] },
      { kind: 'workspaces_granted', workspaces: ['T2'] },
    ],
    [
      { type: 'team_access_revoked', team_ids: ['T2'] },
      { kind: 'workspaces_revoked', workspaces: ['T2'] },
    ],
    [
      { type: 'channel_archive', channel: 'C1' },
      { kind: 'conversation_closed', channel: 'C1', code: 'is_archived' },
    ],
    [
      { type: 'group_archive', channel: 'G1' },
      { kind: 'conversation_closed', channel: 'G1', code: 'is_archived' },
    ],
    [
      { type: 'channel_deleted', channel: 'C1' },
      { kind: 'conversation_closed', channel: 'C1', code: 'channel_not_found' },
    ],
    [
      { type: 'channel_left', channel: 'C1' },
      { kind: 'conversation_closed', channel: 'C1', code: 'not_in_channel' },
    ],
    [
      { type: 'channel_unarchive', channel: 'C1' },
      { kind: 'conversation_opened', channel: 'C1', userId: null },
    ],
    [
      { type: 'member_joined_channel', channel: 'C1', user: 'U2' },
      { kind: 'conversation_opened', channel: 'C1', userId: 'U2' },
    ],
    [
      { type: 'channel_rename', channel: { id: 'C1', name: 'new' } },
      { kind: 'conversation_renamed', channel: 'C1', name: 'new' },
    ],
    [{ type: 'message', text: 'hello' }, { kind: 'other' }],
    [{ type: 'channel_archive' }, { kind: 'other' }],
  ])('%j changes %j', (event, change) => {
    expect(parseSlackEvent(envelope(event))?.change).toEqual(change)
  })

  test('tells its workspace, its organization, and through which install it came', () => {
    const org = { enterprise_id: 'E1', team_id: 'T9', is_enterprise_install: true }
    expect(parseSlackEvent(envelope({ type: 'x' }, { authorizations: [org] }))).toMatchObject({
      workspace: 'T1',
      enterprise: 'E1',
      isOrgWide: true,
      happenedAtMs: 1_700_000_000_000,
    })
    expect(parseSlackEvent(envelope({ type: 'x' }))).toMatchObject({ enterprise: null, isOrgWide: false })
  })

  test('that is none is null, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseSlackEvent(value)).toBeNull()
      }),
    )
  })
})
