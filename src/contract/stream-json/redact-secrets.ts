/** What is removed from a text that may quote headers, environment or paths, in this order. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[\u0000-\u0008\u000b-\u001f]/g, ''],
  [/(\b(?:proxy-)?authorization[ \t]*:[ \t]*)[^\n]+/gi, '$1[REDACTED]'],
  [
    /("(?:[\w-]{0,32}(?:token|secret|password|passwd)|auth|authorization|api[_-]?key)"[ \t]*:[ \t]*)"(?:\\.|[^"\\]){0,8192}"?/gi,
    '$1"[REDACTED]"',
  ],
  [
    /((?:authorization|auth|api[_-]?key|token|secret|password|passwd)[ \t]*[:=][ \t]*)[^\s,;]+/gi,
    '$1[REDACTED]',
  ],
  [/\b(bearer|basic)[ \t]+[\w.~+/=-]{8,}/gi, '$1 [REDACTED]'],
  [/\b(?:sk|pk|rk)-[\w-]{16,}/g, '[REDACTED]'],
  [/\b(?:gh[opsur]_|github_pat_|glpat-|xox[a-z]-|xapp-)[\w-]{10,}/g, '[REDACTED]'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '[REDACTED]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, '[REDACTED]'],
  [/(:\/\/)[^\s/@]{1,256}@/g, '$1[REDACTED]@'],
  [/(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^\s/\\:]+/g, '~'],
]

/** A text without control characters, common shapes of secrets and the names of home directories. */
export function redactSecrets(text: string): string {
  return RULES.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text)
}
