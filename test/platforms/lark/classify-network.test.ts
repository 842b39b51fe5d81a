import { describe, expect, test } from 'vitest'
import { classifyThrown } from '../../../src/platforms/lark/classify.js'

describe('network errors', () => {
  test.each([
    { name: 'reset', thrown: { code: 'ECONNRESET' }, expected: { kind: 'unknown', code: 'econnreset' } },
    {
      name: 'axios timeout',
      thrown: { code: 'ECONNABORTED' },
      expected: { kind: 'unknown', code: 'econnaborted' },
    },
    {
      name: 'abort on deadline',
      thrown: { name: 'TimeoutError', code: 23 },
      expected: { kind: 'unknown', code: 'timeout' },
    },
    {
      name: 'no headers in time',
      thrown: { code: 'UND_ERR_HEADERS_TIMEOUT' },
      expected: { kind: 'unknown', code: 'und_err_headers_timeout' },
    },
    {
      name: 'closed by the host',
      thrown: { code: 'UND_ERR_SOCKET' },
      expected: { kind: 'unknown', code: 'und_err_socket' },
    },
    { name: 'broken pipe', thrown: { code: 'EPIPE' }, expected: { kind: 'unknown', code: 'epipe' } },
    {
      name: 'a connected socket timed out',
      thrown: { code: 'ETIMEDOUT', syscall: 'read' },
      expected: { kind: 'unknown', code: 'etimedout' },
    },
    {
      name: 'connect timed out',
      thrown: { code: 'ETIMEDOUT', syscall: 'connect' },
      expected: { kind: 'not_sent', code: 'etimedout' },
    },
    {
      name: 'no route on connect',
      thrown: { code: 'EHOSTUNREACH', syscall: 'connect' },
      expected: { kind: 'not_sent', code: 'ehostunreach' },
    },
    {
      name: 'refused',
      thrown: { code: 'ECONNREFUSED' },
      expected: { kind: 'not_sent', code: 'econnrefused' },
    },
    {
      name: 'no such host',
      thrown: { code: 'ENOTFOUND' },
      expected: { kind: 'not_sent', code: 'enotfound' },
    },
    {
      name: 'DNS not answering',
      thrown: { code: 'EAI_AGAIN' },
      expected: { kind: 'not_sent', code: 'eai_again' },
    },
    {
      name: 'connect timeout of undici',
      thrown: { code: 'UND_ERR_CONNECT_TIMEOUT' },
      expected: { kind: 'not_sent', code: 'und_err_connect_timeout' },
    },
    {
      name: 'bad certificate',
      thrown: { code: 'CERT_HAS_EXPIRED' },
      expected: { kind: 'not_sent', code: 'cert_has_expired' },
    },
    {
      name: 'wrapped by fetch',
      thrown: new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
      expected: { kind: 'not_sent', code: 'econnrefused' },
    },
    {
      name: 'a request of ours that cannot be made',
      thrown: { code: 'UND_ERR_INVALID_ARG' },
      expected: { kind: 'bug', code: 'und_err_invalid_arg' },
    },
    {
      name: 'an error without a code',
      thrown: new Error('?'),
      expected: { kind: 'unknown', code: 'thrown' },
    },
    { name: 'not an error', thrown: undefined, expected: { kind: 'unknown', code: 'thrown' } },
  ])('$name', ({ thrown, expected }) => {
    expect(classifyThrown(thrown)).toEqual(expected)
  })
})
