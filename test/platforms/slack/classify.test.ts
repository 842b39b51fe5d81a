import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FaultKind } from '../../../src/deliver/platform.js'
import {
  classify,
  classifyCode,
  MESSAGE_LIMIT_WAIT_MS,
  parseRetryAfterMs,
  RETRY_AFTER_CEILING_MS,
  RETRY_AFTER_FLOOR_MS,
} from '../../../src/platforms/slack/classify.js'
import { SLACK_ERRORS } from '../../../src/platforms/slack/error-codes.js'

const NOW = Date.UTC(2026, 10, 30, 10, 0, 0)
const POST = { method: 'chat.postMessage', nowMs: NOW }

/** One row a code, written from platforms.md 1.4 and 1.6. */
const KINDS: Readonly<Partial<Record<FaultKind, string>>> = {
  rate_limited: 'ratelimited rate_limited message_limit_exceeded',
  not_sent:
    'service_unavailable team_added_to_org org_login_required request_timeout external_channel_migrating',
  unknown: 'fatal_error internal_error update_failed duplicate_message_not_found duplicate_channel_not_found',
  token: 'token_expired',
  installation_dead:
    'invalid_auth account_inactive token_revoked not_authed missing_scope not_allowed_token_type accesslimited ' +
    'app_access_restricted enterprise_is_restricted team_access_not_granted two_factor_setup_required ' +
    'ekm_access_denied is_bot as_user_not_supported metadata_must_be_sent_from_app invalid_refresh_token ' +
    'bad_client_secret invalid_client_id',
  conversation_dead:
    'channel_not_found not_in_channel is_archived no_permission access_denied restricted_action ' +
    'restricted_action_read_only_channel restricted_action_thread_only_channel messages_tab_disabled team_not_found ' +
    'send_on_behalf_not_allowed slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked ' +
    'slack_connect_lists_sharing_blocked channel_is_limited_access method_not_supported_for_channel_type ' +
    'invalid_channel user_not_found user_not_visible user_disabled cannot_dm_bot invalid_user_combination',
  anchor_dead:
    'restricted_action_non_threadable_channel restricted_action_thread_locked thread_locked cannot_reply_to_message ' +
    'thread_not_found message_not_found',
  content:
    'msg_blocks_too_long msg_too_long msg_blocks_too_many invalid_blocks invalid_blocks_format invalid_attachments ' +
    'too_many_attachments attachment_payload_limit_exceeded too_many_contact_cards no_text markdown_text_conflict ' +
    'metadata_too_large invalid_metadata_format invalid_metadata_schema missing_file_data file_uploads_disabled ' +
    'file_uploads_except_images_disabled file_upload_size_restricted storage_limit_reached posting_to_channel_denied ' +
    'file_type_not_allowed snippet_too_large',
  bug:
    'invalid_arg_name invalid_arguments missing_argument invalid_array_arg invalid_charset invalid_form_data ' +
    'invalid_post_type missing_post_type unknown_method method_deprecated deprecated_endpoint draft_already_deleted ' +
    'draft_already_sent draft_has_conflict draft_not_found invalid_ts_oldest invalid_ts_latest too_many_users ' +
    'not_enough_users users_list_not_supplied',
}
const ROWS = Object.entries(KINDS).flatMap(([kind, codes]) =>
  (codes ?? '').split(' ').map((code) => ({ code, kind })),
)

describe('refusals', () => {
  for (const { code, kind } of ROWS) {
    test(`${code} is ${kind}`, () => {
      const fault = classify(refusal(code), POST)
      expect(fault).toMatchObject({ kind, code })
    })
  }
  test('the table and these rows name the same codes', () => {
    expect(Object.keys(SLACK_ERRORS).sort()).toEqual(ROWS.map(({ code }) => code).sort())
  })
  test('what must be done about a dead installation', () => {
    const remedy = (code: string) => {
      const fault = classifyCode(code, POST)
      return fault.kind === 'installation_dead' ? fault.remedy : null
    }
    expect(['invalid_auth', 'account_inactive', 'token_revoked', 'not_authed'].map(remedy)).toEqual(
      Array(4).fill('reinstall'),
    )
    expect(['missing_scope', 'accesslimited', 'not_allowed_token_type'].map(remedy)).toEqual(
      Array(3).fill('admin'),
    )
  })
  test('a dead thread falls back to its channel', () => {
    expect(classifyCode('thread_not_found', POST)).toMatchObject({ fallback: 'conversation' })
  })
  test('the plan limit waits a quarter of an hour, for the whole workspace', () => {
    expect(classifyCode('message_limit_exceeded', POST)).toEqual({
      kind: 'rate_limited',
      code: 'message_limit_exceeded',
      scope: 'method',
      retryAfterMs: MESSAGE_LIMIT_WAIT_MS,
    })
  })
  test('a refusal for the rate keeps the wait Slack named', () => {
    const error = {
      ...refusal('ratelimited'),
      data: { error: 'ratelimited', response_metadata: { retryAfter: 7 } },
    }
    expect(classify(error, POST)).toMatchObject({ kind: 'rate_limited', retryAfterMs: 7_000 })
  })
  test('a busy channel closes its own gate, a busy method the method', () => {
    expect(classifyCode('ratelimited', POST)).toMatchObject({ scope: 'conversation' })
    expect(classifyCode('ratelimited', { ...POST, method: 'chat.update' })).toMatchObject({ scope: 'method' })
  })
  test('a missing files scope costs the file and not the installation', () => {
    const call = { ...POST, method: 'files.getUploadURLExternal' }
    expect(classifyCode('missing_scope', call)).toEqual({
      kind: 'content',
      final: false,
      code: 'missing_scope',
    })
  })
  test('a code nobody has seen tries a simpler rendering; names of Object.prototype are no codes', () => {
    for (const code of ['brand_new_error', 'constructor', 'tostring']) {
      expect(classify(refusal(code), POST)).toEqual({ kind: 'content', final: false, code })
    }
  })
  for (const data of [
    { error: '<html>502</html>' },
    { error: '' },
    { error: 'Not A Code' },
    { error: 7 },
    {},
    null,
  ]) {
    test(`${JSON.stringify(data)} is no refusal: unknown`, () => {
      expect(classify({ code: 'slack_webapi_platform_error', data }, POST)).toEqual({
        kind: 'unknown',
        code: 'unreadable_answer',
      })
    })
  }
})

describe('HTTP statuses', () => {
  const rows = [
    { status: 500, body: 'oops', kind: 'unknown', code: 'http_500' },
    { status: 502, body: '<html>', kind: 'unknown', code: 'http_502' },
    {
      status: 503,
      body: { ok: false, error: 'service_unavailable' },
      kind: 'not_sent',
      code: 'service_unavailable',
    },
    { status: 500, body: { ok: false, error: 'fatal_error' }, kind: 'unknown', code: 'http_500' },
    { status: 503, body: { ok: false, error: 'channel_not_found' }, kind: 'unknown', code: 'http_503' },
    { status: 503, body: '{"ok":fal', kind: 'unknown', code: 'http_503' },
    { status: 400, body: '', kind: 'not_sent', code: 'http_400' },
    { status: 403, body: '<html>proxy', kind: 'not_sent', code: 'http_403' },
    { status: 404, body: '', kind: 'not_sent', code: 'http_404' },
    { status: 408, body: '', kind: 'unknown', code: 'http_408' },
    { status: 413, body: '', kind: 'content', code: 'http_413' },
  ] as const
  for (const { status, body, kind, code } of rows) {
    test(`${status} ${JSON.stringify(body)} is ${kind}`, () => {
      const error = {
        code: 'slack_webapi_http_error',
        statusCode: status,
        headers: { 'x-slack-req-id': 'r1' },
        body,
      }
      expect(classify(error, POST)).toMatchObject({ kind, code, vendorLogId: 'r1' })
    })
  }
})

describe('request errors', () => {
  const failed = (cause: unknown) => ({
    code: 'slack_webapi_request_error',
    cause: { message: 'fetch failed', cause },
  })
  const before = [
    'ENOTFOUND',
    'EAI_AGAIN',
    'ECONNREFUSED',
    'UND_ERR_CONNECT_TIMEOUT',
    'CERT_HAS_EXPIRED',
    'ERR_SSL_WRONG_VERSION_NUMBER',
  ]
  for (const code of before) {
    test(`${code}: nothing left this host`, () => {
      expect(classify(failed({ code }), POST)).toEqual({ kind: 'not_sent', code: code.toLowerCase() })
    })
  }
  for (const code of [
    'UND_ERR_SOCKET',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'EPROTO',
    'ERR_NEW',
  ]) {
    test(`${code}: it may have been posted`, () => {
      expect(classify(failed({ code, syscall: 'read' }), POST)).toEqual({
        kind: 'unknown',
        code: code.toLowerCase(),
      })
    })
  }
  for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']) {
    test(`${code} while connecting: nothing left this host`, () => {
      expect(classify(failed({ code, syscall: 'connect' }), POST).kind).toBe('not_sent')
    })
  }
  test('several addresses were tried: not sent only if none of them was reached', () => {
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' }
    expect(classify(failed(new AggregateError([refused, refused])), POST).kind).toBe('not_sent')
    expect(classify(failed(new AggregateError([refused, { code: 'ECONNRESET' }])), POST).kind).toBe('unknown')
    expect(classify(failed(new AggregateError([])), POST).kind).toBe('unknown')
  })
  test('a redirect, a timeout and a cut body are unknown', () => {
    expect(classify(failed({ message: 'unexpected redirect' }), POST)).toEqual({
      kind: 'unknown',
      code: 'redirect',
    })
    expect(classify(new DOMException('timed out', 'TimeoutError'), POST)).toEqual({
      kind: 'unknown',
      code: 'timeout',
    })
    const terminated = new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } })
    expect(classify(terminated, POST)).toEqual({ kind: 'unknown', code: 'und_err_socket' })
  })
  test('a cause that is its own cause ends', () => {
    const loop: { cause?: unknown } = {}
    loop.cause = loop
    expect(classify(loop, POST).kind).toBe('unknown')
  })
  test('whatever is thrown, it is never taken for "not sent" without proof, and its text never becomes a code', () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        const fault = classify(thrown, POST)
        expect(fault.code).toMatch(/^[a-z0-9_]+$/)
        expect(fault.kind).toBe('unknown')
      }),
    )
  })
})

describe('Retry-After', () => {
  const rows = [
    { header: '30', ms: 30_000 },
    { header: ' 12 ', ms: 12_000 },
    { header: '1.5', ms: 1_500 },
    { header: '0', ms: RETRY_AFTER_FLOOR_MS },
    { header: '-5', ms: RETRY_AFTER_FLOOR_MS },
    { header: '99999999999', ms: RETRY_AFTER_CEILING_MS },
    { header: 'Mon, 30 Nov 2026 10:00:20 GMT', ms: 20_000 },
    { header: 'Mon, 30 Nov 2026 09:00:00 GMT', ms: RETRY_AFTER_FLOOR_MS },
    { header: 'Mon, garbage', ms: null },
    { header: 'soon 5', ms: null },
    { header: '', ms: null },
    { header: 'null', ms: null },
    { header: null, ms: null },
  ] as const
  for (const { header, ms } of rows) {
    test(`${JSON.stringify(header)} is ${ms} ms`, () => expect(parseRetryAfterMs(header, NOW)).toBe(ms))
  }
})

function refusal(code: string) {
  return { code: 'slack_webapi_platform_error', data: { ok: false, error: code, response_metadata: {} } }
}
