import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import type { SlackFault } from '../../support/slack/faults.js'
import { aMarker, aMessage, aTarget, slackOn } from '../../support/slack/platform.js'

const NOW = Date.UTC(2026, 10, 30, 10, 0, 0)

let fake: SlackFake
beforeAll(async () => {
  fake = await startSlackFake()
})
afterEach(() => fake.faults.clear())
afterAll(() => fake.close())

/** `posted`: what stands in the channel afterwards, whatever the caller was told. */
const ROWS: readonly { name: string; fault: SlackFault; expected: object; posted: 0 | 1 }[] = [
  {
    name: '429 with seconds',
    fault: { kind: 'rate_limit', retryAfter: '30' },
    expected: { kind: 'rate_limited', code: 'ratelimited', scope: 'conversation', retryAfterMs: 30_000 },
    posted: 0,
  },
  {
    name: '429 with 0 waits at least a second',
    fault: { kind: 'rate_limit', retryAfter: '0' },
    expected: { kind: 'rate_limited', retryAfterMs: 1_000 },
    posted: 0,
  },
  {
    name: '429 with an HTTP date',
    fault: { kind: 'rate_limit', retryAfter: 'Mon, 30 Nov 2026 10:00:20 GMT' },
    expected: { kind: 'rate_limited', retryAfterMs: 20_000 },
    posted: 0,
  },
  {
    name: '429 with garbage',
    fault: { kind: 'rate_limit', retryAfter: 'later' },
    expected: { kind: 'rate_limited', retryAfterMs: null },
    posted: 0,
  },
  {
    name: '429 without Retry-After',
    fault: { kind: 'rate_limit', retryAfter: null },
    expected: { kind: 'rate_limited', retryAfterMs: null },
    posted: 0,
  },
  {
    name: '200 ratelimited with Retry-After',
    fault: { kind: 'error', code: 'ratelimited', retryAfter: '3' },
    expected: { kind: 'rate_limited', retryAfterMs: 3_000 },
    posted: 0,
  },
  {
    name: 'a refusal',
    fault: { kind: 'error', code: 'is_archived' },
    expected: { kind: 'conversation_dead', code: 'is_archived' },
    posted: 0,
  },
  {
    name: 'fatal_error after the commit',
    fault: { kind: 'error', code: 'fatal_error', when: 'after' },
    expected: { kind: 'unknown', code: 'fatal_error' },
    posted: 1,
  },
  {
    name: '503 before the commit',
    fault: { kind: 'http', status: 503, when: 'before' },
    expected: { kind: 'unknown', code: 'http_503', vendorLogId: 'req-503' },
    posted: 0,
  },
  {
    name: '500 after the commit',
    fault: { kind: 'http', status: 500, when: 'after' },
    expected: { kind: 'unknown', code: 'http_500' },
    posted: 1,
  },
  {
    name: '503 that says service_unavailable',
    fault: { kind: 'http', status: 503, when: 'before', body: '{"ok":false,"error":"service_unavailable"}' },
    expected: { kind: 'not_sent', code: 'service_unavailable' },
    posted: 0,
  },
  {
    name: 'a reset before handling',
    fault: { kind: 'reset', when: 'before' },
    expected: { kind: 'unknown' },
    posted: 0,
  },
  {
    name: 'a reset after the commit',
    fault: { kind: 'reset', when: 'after' },
    expected: { kind: 'unknown' },
    posted: 1,
  },
  { name: 'a body cut half-way', fault: { kind: 'cut' }, expected: { kind: 'unknown' }, posted: 1 },
  {
    name: 'no answer, nothing done',
    fault: { kind: 'hang', when: 'before' },
    expected: { kind: 'unknown', code: 'timeout' },
    posted: 0,
  },
  {
    name: 'no answer, but done',
    fault: { kind: 'hang', when: 'after' },
    expected: { kind: 'unknown', code: 'timeout' },
    posted: 1,
  },
  {
    name: 'an answer slower than the timeout',
    fault: { kind: 'slow', delayMs: 10_000, commit: 'now' },
    expected: { kind: 'unknown', code: 'timeout' },
    posted: 1,
  },
  {
    name: "a proxy's page",
    fault: { kind: 'html', when: 'after' },
    expected: { kind: 'unknown', code: 'unreadable_answer' },
    posted: 1,
  },
  {
    name: 'an empty body',
    fault: { kind: 'body', text: '', when: 'after' },
    expected: { kind: 'unknown', code: 'unreadable_answer' },
    posted: 1,
  },
  {
    name: 'a body that is null',
    fault: { kind: 'body', text: 'null', when: 'after' },
    expected: { kind: 'unknown', code: 'unrecognised_error' },
    posted: 1,
  },
  {
    name: 'ok without a ts',
    fault: { kind: 'body', text: '{"ok":true}', when: 'after' },
    expected: { kind: 'unknown', code: 'unreadable_answer' },
    posted: 1,
  },
  {
    name: 'a redirect',
    fault: { kind: 'redirect', status: 302, location: '/elsewhere' },
    expected: { kind: 'unknown', code: 'redirect' },
    posted: 0,
  },
]

describe('a post through the real client', () => {
  for (const { name, fault, expected, posted } of ROWS) {
    test(name, async () => {
      // Long enough for a busy machine to do the work, where it is done before the answer fails to come.
      const timeoutMs = fault.kind === 'hang' || fault.kind === 'slow' ? 800 : 10_000
      const slack = slackOn(fake, {}, { nowMs: () => NOW, timeoutMs })
      const before = fake.messages(SLACK.channel).length
      fake.clearCalls()
      fake.faults.next('chat.postMessage', fault)
      const result = await slack.send(aTarget(), aMessage(), aMarker())
      expect(result).toMatchObject(expected)
      expect(fake.messages(SLACK.channel)).toHaveLength(before + posted)
      // One call: the SDK's own retries would post again.
      expect(fake.calls).toHaveLength(1)
      expect(fake.faults.pending).toBe(0)
      await slack.close()
    })
  }

  test('a server that is not there was not written to', async () => {
    const gone = await startSlackFake()
    await gone.close()
    const slack = slackOn(gone)
    expect(await slack.send(aTarget(), aMessage(), aMarker())).toEqual({
      kind: 'not_sent',
      code: 'econnrefused',
    })
    await slack.close()
  })
  test('a name that does not resolve was not written to', async () => {
    const slack = slackOn(fake, {}, { apiUrl: 'http://nowhere.invalid/api/', timeoutMs: 10_000 })
    expect((await slack.send(aTarget(), aMessage(), aMarker())).kind).toBe('not_sent')
    await slack.close()
  })
  test('TLS to a server without it was not written to', async () => {
    const slack = slackOn(fake, {}, { apiUrl: fake.apiUrl.replace('http:', 'https:') })
    expect(await slack.send(aTarget(), aMessage(), aMarker())).toEqual({
      kind: 'not_sent',
      code: 'err_ssl_wrong_version_number',
    })
    await slack.close()
  })
})
