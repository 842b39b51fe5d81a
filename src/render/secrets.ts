import type { SafeText } from './safety.js'

/** What a masked secret looks like: no letters, so that it reads in every language and is no Markdown. */
export const MASK = '•••••'

/** Literal secrets shorter than this would mask ordinary words. */
const MIN_LITERAL_CHARS = 6

/**
 * Token shapes, from their issuers' pages: Slack (docs.slack.dev/authentication/tokens), GitHub
 * (docs.github.com "About authentication to GitHub", token formats), AWS access key ids, OpenAI and Anthropic keys, Google API keys,
 * Lark tenant, user and app access tokens, JSON Web Tokens (RFC 7519), PEM private keys (RFC 7468), `Authorization` values.
 */
const SHAPES: readonly string[] = [
  'xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{8,}',
  'xapp-\\d-[A-Za-z0-9-]{8,}',
  'xoxe\\.[A-Za-z0-9.-]{8,}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'glpat-[A-Za-z0-9_-]{16,}',
  'sk-(?=[A-Za-z_-]{0,40}\\d)[A-Za-z0-9][A-Za-z0-9_-]{15,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'AIza[A-Za-z0-9_-]{35}',
  'npm_[A-Za-z0-9]{36}',
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{4,}',
  '(?:t|u|a|p)-[a-z0-9]{2,12}[A-Za-z0-9]{24,}(?:\\.[A-Za-z0-9_-]{6,})*',
]

/** Values whose meaning is in the words before them; those stay. Read with the words: a look behind costs at every letter. */
const HEADER_SHAPES: readonly string[] = [
  '(\\b[Bb]earer\\s{1,4})[A-Za-z0-9._~+/=-]{16,}',
  '(hooks\\.slack\\.com/services/)[A-Za-z0-9/]{20,}',
  '(/open-apis/bot/v2/hook/)[A-Za-z0-9-]{16,}',
]

const PRIVATE_KEY =
  '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\\s\\S]{0,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)'

const KNOWN = new RegExp(
  `${PRIVATE_KEY}|(?<![A-Za-z0-9])(?:${SHAPES.join('|')})|${HEADER_SHAPES.join('|')}`,
  'g',
)

/** Masks token shapes and `secrets`, counting each place. */
export function maskSecrets(text: string, secrets: readonly string[]): SafeText {
  let maskedSecrets = 0
  const mask = (): string => {
    maskedSecrets += 1
    return MASK
  }
  if (text.length < MIN_LITERAL_CHARS) return { text, maskedSecrets }
  let masked = text
  const literals = secrets.filter((secret) => secret.length >= MIN_LITERAL_CHARS)
  for (const secret of literals.toSorted((a, b) => b.length - a.length)) {
    if (masked.includes(secret)) masked = masked.replaceAll(secret, mask)
  }
  masked = masked.replaceAll(
    KNOWN,
    (_, head: string | undefined, hook: string | undefined, bot: string | undefined) =>
      (head ?? hook ?? bot ?? '') + mask(),
  )
  return { text: masked, maskedSecrets }
}
