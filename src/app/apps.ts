import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'

/** One Slack app. `key` is its word in addresses and installation ids; '' is the app of the settings. */
export interface SlackApp {
  readonly key: string
  readonly name: string
  readonly signingSecret: string | null
  readonly clientId: string | null
  readonly clientSecret: string | null
  readonly appToken: string | null
}

/** One Lark or Feishu app. */
export interface LarkApp {
  readonly key: string
  readonly name: string
  readonly appId: string
  readonly appSecret: string
  readonly kind: 'internal' | 'store'
  readonly baseUrl: string
  readonly encryptKey: string | null
  readonly verificationToken: string | null
  /** Tenant of an internal app, when it is known. */
  readonly tenant: string | null
}

/** Every app one process serves. */
export interface Apps {
  readonly slack: readonly SlackApp[]
  readonly lark: readonly LarkApp[]
}

const key = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'lower-case letters, digits and hyphens, at most 32')
const secret = z.string().min(1)
const name = z.string().min(1).max(80)

const AppsFile = z.strictObject({
  slack: z
    .array(
      z.strictObject({
        key,
        name: name.optional(),
        signingSecret: secret.optional(),
        clientId: secret.optional(),
        clientSecret: secret.optional(),
        appToken: secret.optional(),
      }),
    )
    .default([]),
  lark: z
    .array(
      z.strictObject({
        key,
        name: name.optional(),
        appId: secret,
        appSecret: secret,
        kind: z.enum(['internal', 'store']).default('internal'),
        baseUrl: z.url({ protocol: /^https?$/ }).default('https://open.feishu.cn'),
        encryptKey: secret.optional(),
        verificationToken: secret.optional(),
        tenant: secret.optional(),
      }),
    )
    .default([]),
})

/** The name people see on install pages when an app gives none. */
const DEFAULT_NAME = 'Lastword'

/**
 * The app of the settings and those of `LASTWORD_APPS_FILE`, for who serves several from one process.
 *
 * @throws {LastwordError} `config_invalid`, with every path in the file and no value
 */
export async function readApps(config: Config): Promise<Apps> {
  const file = config.LASTWORD_APPS_FILE === undefined ? { slack: [], lark: [] } : await readFileOf(config)
  return {
    slack: [
      ...slackOfSettings(config),
      ...file.slack.map((app) => ({
        key: app.key,
        name: app.name ?? DEFAULT_NAME,
        signingSecret: app.signingSecret ?? null,
        clientId: app.clientId ?? null,
        clientSecret: app.clientSecret ?? null,
        appToken: app.appToken ?? null,
      })),
    ],
    lark: [
      ...larkOfSettings(config),
      ...file.lark.map((app) => ({
        ...app,
        name: app.name ?? DEFAULT_NAME,
        encryptKey: app.encryptKey ?? null,
        verificationToken: app.verificationToken ?? null,
        tenant: app.tenant ?? null,
      })),
    ],
  }
}

function slackOfSettings(config: Config): readonly SlackApp[] {
  const { SLACK_SIGNING_SECRET, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_APP_TOKEN } = config
  if ([SLACK_SIGNING_SECRET, SLACK_CLIENT_ID, SLACK_APP_TOKEN].every((value) => value === undefined))
    return []
  return [
    {
      key: '',
      name: DEFAULT_NAME,
      signingSecret: SLACK_SIGNING_SECRET ?? null,
      clientId: SLACK_CLIENT_ID ?? null,
      clientSecret: SLACK_CLIENT_SECRET ?? null,
      appToken: SLACK_APP_TOKEN ?? null,
    },
  ]
}

function larkOfSettings(config: Config): readonly LarkApp[] {
  const { LARK_APP_ID, LARK_APP_SECRET } = config
  if (LARK_APP_ID === undefined || LARK_APP_SECRET === undefined) return []
  return [
    {
      key: '',
      name: DEFAULT_NAME,
      appId: LARK_APP_ID,
      appSecret: LARK_APP_SECRET,
      kind: config.LARK_APP_KIND,
      baseUrl: config.LARK_BASE_URL,
      encryptKey: config.LARK_ENCRYPT_KEY ?? null,
      verificationToken: config.LARK_VERIFICATION_TOKEN ?? null,
      tenant: config.LARK_TENANT_KEY ?? null,
    },
  ]
}

async function readFileOf(config: Config): Promise<z.infer<typeof AppsFile>> {
  const path = config.LASTWORD_APPS_FILE ?? ''
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw invalid([{ path: 'LASTWORD_APPS_FILE', expected: 'a file that can be read' }], cause)
  })
  const parsed = AppsFile.safeParse(parseJson(text))
  if (!parsed.success) {
    throw invalid(
      parsed.error.issues.map((issue) => ({
        path: `LASTWORD_APPS_FILE:/${issue.path.join('/')}`,
        expected: issue.message,
      })),
    )
  }
  for (const apps of [parsed.data.slack, parsed.data.lark]) {
    if (new Set(apps.map((app) => app.key)).size !== apps.length)
      throw invalid([{ path: 'LASTWORD_APPS_FILE', expected: 'a key of its own for every app' }])
  }
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid([{ path: 'LASTWORD_APPS_FILE', expected: 'one JSON object' }])
  }
}

function invalid(
  faults: readonly { readonly path: string; readonly expected: string }[],
  cause?: unknown,
): LastwordError {
  const list = faults.map((fault) => `  ${fault.path}: ${fault.expected}`).join('\n')
  return new LastwordError('config_invalid', `settings are not usable:\n${list}`, { faults, cause })
}
