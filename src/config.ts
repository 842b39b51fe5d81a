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
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(3000)
    .describe('Port of the HTTP API and pages; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  LASTWORD_PUBLIC_URL: url
    .optional()
    .describe('Where this Lastword is reached from outside, for install pages and links'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('Your Postgres (13 or newer); without it the embedded one is used'),
  LASTWORD_DATA_DIR: z
    .string()
    .default('.lastword')
    .describe('Folder of the embedded Postgres and of generated keys'),
  LASTWORD_URL: url.optional().describe('Where commands like `send` find a running Lastword'),
  LASTWORD_API_KEY: z
    .string()
    .min(16)
    .optional()
    .describe('Key of the first producer; without it one is made and kept in the data folder'),
  LASTWORD_ENCRYPTION_KEYS: z
    .string()
    .optional()
    .describe(
      'Keys that seal credentials, `id:base64url` of 32 bytes, comma-separated; the first seals, all open',
    ),
  LASTWORD_APPS_FILE: z.string().optional().describe('JSON file with further Slack and Lark apps'),
  LASTWORD_DEFAULT_LOCALE: z.string().default('en').describe('Language when nothing else decides'),
  LASTWORD_LOCALES_DIR: z
    .string()
    .optional()
    .describe("Folder of a team's own wording or further languages, laid over ours"),
  LASTWORD_SILENCE_TOKENS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((token) => token.trim())
        .filter((token) => token !== ''),
    )
    .describe('Whole outputs that mean silence, comma-separated'),
  LASTWORD_MAX_OUTPUT_BYTES: count
    .default(1_048_576)
    .describe('Longest output or partial output of a run, in UTF-8 bytes'),
  LASTWORD_MAX_PARTS: count
    .max(100)
    .default(4)
    .describe('Messages above which an answer becomes a preview and a file'),
  LASTWORD_MAX_AGE_MS: durationMs
    .default(86_400_000)
    .describe('Age at which an undelivered run expires, in ms'),
  LASTWORD_SETTLE_MS: durationMs
    .default(5_000)
    .describe('How long a call of unknown outcome is left alone before it is looked up, in ms'),
  LASTWORD_REPEAT_WINDOW_MS: durationMs
    .default(3_600_000)
    .describe('Window in which the same failure in a conversation is shown once, with a count, in ms'),
  LASTWORD_UNKNOWN_POLICY: z
    .enum(['resend', 'hold'])
    .default('resend')
    .describe('When nobody can tell whether a part was posted: `resend` it or `hold` it for an operator'),
  LASTWORD_PACING: flag.default(true).describe('Keep under the known rates of the platforms'),
  LASTWORD_CONCURRENCY: count
    .max(1_000)
    .default(64)
    .describe('Calls to the platforms under way at the same time in one process'),
  LASTWORD_STUCK_MS: count
    .default(120_000)
    .describe('Wait of due work for a worker after which `/readyz` answers 503, in ms'),
  LASTWORD_RETENTION_DAYS: count
    .default(30)
    .describe('Days after which settled deliveries and their receipts are deleted'),
  LASTWORD_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Least severe level that is logged'),
  SLACK_BOT_TOKEN: secret
    .regex(/^xox[be]/, 'a bot token (xoxb-...)')
    .optional()
    .describe('Bot token of a single workspace'),
  SLACK_APP_TOKEN: secret
    .regex(/^xapp-/, 'an app-level token (xapp-...)')
    .optional()
    .describe('App-level token: events over Socket Mode instead of HTTP'),
  SLACK_SIGNING_SECRET: secret
    .optional()
    .describe('Signing secret of the Slack app; events and buttons are refused without it'),
  SLACK_CLIENT_ID: secret.optional().describe('Slack app for installs in many workspaces'),
  SLACK_CLIENT_SECRET: secret.optional().describe('Its secret'),
  SLACK_API_URL: url
    .endsWith('/api/', 'an address that ends in /api/')
    .default('https://slack.com/api/')
    .describe('Another server that speaks the Slack Web API'),
  LARK_APP_ID: secret.optional().describe('Lark or Feishu app'),
  LARK_APP_SECRET: secret.optional().describe('Its secret'),
  LARK_TENANT_KEY: secret.optional().describe('Tenant of an internal app, when runs name it'),
  LARK_APP_KIND: z
    .enum(['internal', 'store'])
    .default('internal')
    .describe('Made by the tenant for itself, or installed from the marketplace'),
  LARK_ENCRYPT_KEY: secret.optional().describe('Encrypt key of the event subscription'),
  LARK_VERIFICATION_TOKEN: secret.optional().describe('Verification token of the event subscription'),
  LARK_EVENTS: z
    .enum(['http', 'socket'])
    .default('http')
    .describe('Events at `/lark/events/APP_ID`, or over a long connection (internal apps)'),
  LARK_BASE_URL: url
    .default('https://open.feishu.cn')
    .describe('`https://open.larksuite.com` outside China, or another server that speaks the API'),
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
