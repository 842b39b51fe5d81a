import { expect, test } from 'vitest'
import { redactSecrets } from '../../../src/contract/stream-json/redact-secrets.js'

const rows = [
  ['nothing to hide, tokens: too long', 'nothing to hide, tokens: too long'],
  ['Authorization: Bearer abc def\nnext', 'Authorization: [REDACTED]\nnext'],
  ['{"api_key": "a\\"b", "n": 1}', '{"api_key": "[REDACTED]", "n": 1}'],
  ['{"access_token":"abc"}', '{"access_token":"[REDACTED]"}'],
  ['API_KEY=abc, password: hunter2; x', 'API_KEY=[REDACTED], password: [REDACTED]; x'],
  ['sent Bearer abcdefgh12345', 'sent Bearer [REDACTED]'],
  ['key sk-abcdefghijklmnop0123 used', 'key [REDACTED] used'],
  ['https://user:pass@host/x', 'https://[REDACTED]@host/x'],
  ['/home/someone/repo and /Users/else/x', '~/repo and ~/x'],
  ['bell\u0007 and\ttab\r\n', 'bell and\ttab\n'],
] as const

for (const [text, redacted] of rows) {
  test(`${JSON.stringify(text)} reads ${JSON.stringify(redacted)}`, () =>
    expect(redactSecrets(text)).toBe(redacted))
}
