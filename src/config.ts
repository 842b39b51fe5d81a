import { z } from 'zod'
import { LastwordError } from './errors.js'

const url = z.url({ protocol: /^https?$/ })
const secret = z.string().min(1)
const durationMs = z.coerce.number().int().min(0)
const count = z.coerce.number().int().min(1)
const flag = z.enum(['on', 'off']).transform((value) => value === 'on')

/**
 * Every setting, in the order of the README's table. A value of '' counts as unset.
 * `.env.example` and the README list the same names; a test compares them.
 */
export const SETTINGS = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  LASTWORD_PUBLIC_URL: url.optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  LASTWORD_DATA_DIR: z.string().default('.lastword'),
  LASTWORD_URL: url.optional(),
  LASTWORD_API_KEY: z.string().min(16).optional(),
  LASTWORD_ENCRYPTION_KEYS: z.string().optional(),
  LASTWORD_APPS_FILE: z.string().optional(),
  LASTWORD_DEFAULT_LOCALE: z.string().default('en'),
  LASTWORD_LOCALES_DIR: z.string().optional(),
  LASTWORD_SILENCE_TOKENS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((token) => token.trim())
        .filter((token) => token !== ''),
    ),
  LASTWORD_MAX_OUTPUT_BYTES: count.default(1_048_576),
  LASTWORD_MAX_PARTS: count.max(100).default(4),
  LASTWORD_MAX_AGE_MS: durationMs.default(86_400_000),
  LASTWORD_SETTLE_MS: durationMs.default(5_000),
  LASTWORD_REPEAT_WINDOW_MS: durationMs.default(3_600_000),
  LASTWORD_UNKNOWN_POLICY: z.enum(['resend', 'hold']).default('resend'),
  LASTWORD_PACING: flag.default(true),
  LASTWORD_CONCURRENCY: count.max(1_000).default(64),
  LASTWORD_RETENTION_DAYS: count.default(30),
  LASTWORD_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  SLACK_BOT_TOKEN: secret.regex(/^xox[be]/, 'a bot token (xoxb-...)').optional(),
  SLACK_APP_TOKEN: secret.regex(/^xapp-/, 'an app-level token (xapp-...)').optional(),
  SLACK_SIGNING_SECRET: secret.optional(),
  SLACK_CLIENT_ID: secret.optional(),
  SLACK_CLIENT_SECRET: secret.optional(),
  SLACK_API_URL: url.endsWith('/api/', 'an address that ends in /api/').default('https://slack.com/api/'),
  LARK_APP_ID: secret.optional(),
  LARK_APP_SECRET: secret.optional(),
  LARK_TENANT_KEY: secret.optional(),
  LARK_APP_KIND: z.enum(['internal', 'store']).default('internal'),
  LARK_ENCRYPT_KEY: secret.optional(),
  LARK_VERIFICATION_TOKEN: secret.optional(),
  LARK_BASE_URL: url.default('https://open.feishu.cn'),
})

export type Config = Readonly<z.infer<typeof SETTINGS>>

/** Settings that only make sense together: the first needs the others. */
const TOGETHER: readonly (readonly [keyof Config, keyof Config])[] = [
  ['LARK_APP_ID', 'LARK_APP_SECRET'],
  ['LARK_APP_SECRET', 'LARK_APP_ID'],
  ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'],
  ['SLACK_CLIENT_SECRET', 'SLACK_CLIENT_ID'],
]

/**
 * Reads the settings once.
 *
 * @throws {LastwordError} `config_invalid`, listing every problem by variable name and never a value
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = SETTINGS.safeParse(given)
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), expected: issue.message }))
  for (const [one, other] of TOGETHER) {
    if (given[one] !== undefined && given[other] === undefined) {
      faults.push({ path: other, expected: `a value, because ${one} is set` })
    }
  }
  for (const name of Object.keys(given)) {
    if (name.startsWith('LASTWORD_') && !(name in SETTINGS.shape)) {
      faults.push({ path: name, expected: 'a known setting; this name is not one' })
    }
  }
  if (!parsed.success || faults.length > 0) {
    const list = faults.map((fault) => `  ${fault.path}: ${fault.expected}`).join('\n')
    throw new LastwordError('config_invalid', `settings are not usable:\n${list}`, { faults })
  }
  return parsed.data
}
