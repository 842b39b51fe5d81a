import { describe, expect, test } from 'vitest'
import { classifyCause } from '../../src/contract/cause.js'
import type { Cause } from '../../src/contract/decision.js'

const NOTHING = { stopReason: null, errorCode: null, error: null }

const BY_ERROR: Readonly<Record<Cause, readonly string[]>> = {
  output_limit: ['response exceeded the 32000 output token maximum', 'max_output_tokens reached'],
  context_window: [
    'Inputs token length 52721 exceed max_model_len 40600\n 0: candle_core::error…\n 1: …',
    'prompt is too long: 213462 tokens > 200000 maximum',
    "This model's maximum context length is 8192 tokens",
    'context window exhausted',
    'claude terminal_reason=prompt_too_long',
  ],
  turn_limit: ['Reached maximum number of turns (10)', 'iteration limit reached'],
  provider_auth: [
    'API Error: 401 {"type":"error"}',
    'HTTP 403: forbidden',
    'Invalid API key · Please run /login',
    'OAuth token has expired',
  ],
  provider_quota: [
    'HTTP 402',
    'You exceeded your current quota, please check your plan',
    '429 insufficient_quota',
    'Your credit balance is too low',
    'Claude AI usage limit reached|1760000000',
  ],
  provider_overload: [
    'HTTP 429',
    '529 overloaded_error',
    'Rate limit reached for requests',
    'Too Many Requests',
  ],
  provider_server: [
    'API Error: 500 Internal server error',
    '502 Bad Gateway',
    'service temporarily unavailable',
  ],
  provider_network: [
    'read ECONNRESET',
    'getaddrinfo ENOTFOUND api.example.com',
    'connection closed mid-response',
    'context deadline exceeded',
    'TypeError: fetch failed',
  ],
  model_unavailable: [
    'The model `x-9` does not exist or you do not have access to it.',
    'model not found: x-9',
  ],
  unreadable_output: [
    'claude stream ended without terminal result',
    'qwen stdout read error: token too long',
  ],
  timeout: ['agent timed out after 30m'],
  cancelled: ['request was aborted'],
  refused: ['Output blocked by content filtering policy: content_filter'],
  empty_response: ['EMPTY_MODEL_RESPONSE', 'no response generated'],
  runtime_offline: ['runtime_offline', 'the runner is offline', 'missed heartbeats'],
  unknown: [
    'boom',
    'wrote 4012 files',
    'took 15029ms',
    'listening on port 5001',
    'used 500 tokens',
    'pi is 0.401',
    '',
  ],
}

describe('a failed run by its error text', () => {
  const rows = Object.entries(BY_ERROR).flatMap(([cause, errors]) =>
    errors.map((error) => ({ cause, error })),
  )
  test.each(rows)('$error is $cause', ({ cause, error }) => {
    expect(classifyCause({ ...NOTHING, status: 'failed', error })).toBe(cause)
  })
})

describe('a failed run by its code', () => {
  test.each([
    ['rate_limit_exceeded', 'provider_overload'],
    ['overloaded_error', 'provider_overload'],
    ['serverOverloaded', 'provider_overload'],
    ['context_length_exceeded', 'context_window'],
    ['contextWindowExceeded', 'context_window'],
    ['CONTEXT_TOO_LARGE', 'context_window'],
    ['agent_error.context_overflow', 'context_window'],
    ['agent_error.provider_auth_or_access', 'provider_auth'],
    ['PROVIDER_UNAUTHORIZED', 'provider_auth'],
    ['authentication_error', 'provider_auth'],
    ['insufficient_quota', 'provider_quota'],
    ['usageLimitExceeded', 'provider_quota'],
    ['error_max_budget_usd', 'provider_quota'],
    ['agent_error.provider_quota_limit', 'provider_quota'],
    ['agent_error.provider_capacity_or_rate_limit', 'provider_overload'],
    ['agent_error.provider_server_error', 'provider_server'],
    ['agent_error.provider_network', 'provider_network'],
    ['NETWORK_ERROR', 'provider_network'],
    ['STREAM_FAILED', 'provider_network'],
    ['agent_error.model_not_found_or_unavailable', 'model_unavailable'],
    ['agent_error.empty_or_unparseable_output', 'unreadable_output'],
    ['agent_error.agent_timeout', 'timeout'],
    ['error_max_turns', 'turn_limit'],
    ['iteration_limit', 'turn_limit'],
    ['runtime_offline', 'runtime_offline'],
    ['internal', 'unknown'],
  ] as const)('%s is %s', (errorCode, cause) => {
    expect(classifyCause({ ...NOTHING, status: 'failed', errorCode })).toBe(cause)
  })

  test('the code beats the text, and an unknown code leaves the text to tell', () => {
    const facts = { ...NOTHING, status: 'failed', error: 'HTTP 500' } as const
    expect(classifyCause({ ...facts, errorCode: 'rate_limit_exceeded' })).toBe('provider_overload')
    expect(classifyCause({ ...facts, errorCode: 'E17' })).toBe('provider_server')
  })
})

describe('what ended the run decides first', () => {
  test.each([
    { status: 'timeout', error: 'HTTP 429', cause: 'timeout' },
    { status: 'aborted', error: 'HTTP 429', cause: 'cancelled' },
    { status: 'refused', error: 'HTTP 429', cause: 'refused' },
    { status: 'truncated', error: 'HTTP 429', cause: 'output_limit' },
  ] as const)('$status is $cause whatever the text says', ({ status, error, cause }) => {
    expect(classifyCause({ ...NOTHING, status, error })).toBe(cause)
  })

  test.each([
    ['max_tokens', 'output_limit'],
    ['max-tokens', 'output_limit'],
    ['length', 'output_limit'],
    ['model_context_window_exceeded', 'context_window'],
    ['context_length_exceeded', 'context_window'],
    ['prompt_too_long', 'context_window'],
    ['max_turn_requests', 'turn_limit'],
    [null, 'output_limit'],
  ] as const)('cut with %s is %s', (stopReason, cause) => {
    expect(classifyCause({ ...NOTHING, status: 'truncated', stopReason })).toBe(cause)
  })
})
