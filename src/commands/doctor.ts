import type { Command } from 'commander'
import { type Connections, connect } from '../app/connect.js'
import type { Config } from '../config.js'
import type { Platform } from '../deliver/platform.js'
import { ERRORS, LastwordError } from '../errors.js'
import { resolveLanguage } from '../locales.js'
import { loadWords } from '../locales-load.js'
import { createLogger, type Logger } from '../log.js'
import { createLarkPlatform } from '../platforms/lark/index.js'
import { createLarkProver } from '../platforms/lark/install.js'
import { createSlackPlatform } from '../platforms/slack/index.js'
import type { Database } from '../store/database.js'
import { type Check, problem } from './doctor/check.js'
import { checkConversation } from './doctor/conversation.js'
import { checkInstallation, listPatients, type Patient } from './doctor/installations.js'
import { checkService } from './doctor/service.js'
import { withDatabase } from './open-store.js'
import { formatTable } from './output.js'

export interface DoctorFlags {
  readonly installation?: string
  readonly post?: string
  readonly workspace?: string
  readonly json?: boolean
}

/** Longest single call of the doctor, in ms. */
const CALL_TIMEOUT_MS = 10_000

/** `lastword doctor`: proves with real calls that everything works, and says what to click where it does not. */
export function addDoctorCommand(program: Command, settings: () => Config): void {
  program
    .command('doctor')
    .description('prove with real calls that everything works; say what to do where it does not')
    .option('--installation <id>', 'only this one')
    .option('--post <conversation>', 'also post a test message and a file there, and take them away again')
    .option('--workspace <id>', 'for --post through an organization-wide installation: the workspace')
    .option('--json', 'print JSON')
    .action(async (flags: DoctorFlags) => {
      const config = settings()
      const log = createLogger('silent')
      const checks = await withDatabase(config, log, ({ db }) => runDoctor(config, db, log, flags))
      process.stdout.write(
        flags.json === true ? `${JSON.stringify(checks, null, 2)}\n` : `${report(checks)}\n`,
      )
      if (checks.some((check) => check.state === 'problem')) process.exitCode = ERRORS.config_invalid.exitCode
    })
}

/** Everything that was looked at. Posts only when told to. */
export async function runDoctor(
  config: Config,
  db: Database,
  log: Logger,
  flags: DoctorFlags,
): Promise<readonly Check[]> {
  const connected = await tryConnect(config, db, log)
  if ('state' in connected) return [connected]
  try {
    const service = await checkService(db, connected.sealer, Date.now)
    const patients = await listPatients(db, flags.installation ?? null)
    if (patients.length === 0) return [...service, nothingInstalled()]
    return [...service, ...(await checkPatients(config, connected, patients, flags))]
  } finally {
    await connected.close()
  }
}

async function tryConnect(config: Config, db: Database, log: Logger): Promise<Connections | Check> {
  try {
    return await connect(config, db, log)
  } catch (error) {
    if (!(error instanceof LastwordError)) throw error
    if (error.code === 'platform_refused') {
      return problem(
        'settings token',
        error.message,
        'copy the bot token from OAuth & Permissions of your app',
      )
    }
    if (error.code === 'platform_unreachable') {
      return problem('settings token', error.message, 'is SLACK_API_URL reachable from here?')
    }
    throw error
  }
}

async function checkPatients(
  config: Config,
  connections: Connections,
  patients: readonly Patient[],
  flags: DoctorFlags,
): Promise<readonly Check[]> {
  const larkProver = createLarkProver({
    appTicket: (appId) => connections.larkTickets.newest(appId),
    timeoutMs: CALL_TIMEOUT_MS,
    now: Date.now,
  })
  const checks: Check[] = []
  try {
    const options = {
      connections,
      slackApiUrl: config.SLACK_API_URL,
      lark: { credentials: connections.lark, prover: larkProver, events: config.LARK_EVENTS },
      timeoutMs: CALL_TIMEOUT_MS,
      nowMs: Date.now,
    }
    for (const patient of patients) checks.push(...(await checkInstallation(patient, options)))
    if (flags.post !== undefined)
      checks.push(...(await post(config, connections, patients, flags.post, flags)))
    return checks
  } finally {
    await larkProver.close()
  }
}

/** @throws {LastwordError} `usage` when several installations could be meant */
async function post(
  config: Config,
  connections: Connections,
  patients: readonly Patient[],
  conversationId: string,
  flags: DoctorFlags,
): Promise<readonly Check[]> {
  const name = conversationId.startsWith('oc_') ? 'lark' : 'slack'
  const [installation, another] = patients.filter((patient) => patient.platform === name)
  if (installation === undefined || another !== undefined) {
    throw new LastwordError('usage', '--post needs --installation when there is not exactly one')
  }
  const { words } = await loadWords(config.LASTWORD_LOCALES_DIR ?? null)
  const { platform, close } = platformFor(installation, config, connections)
  try {
    return await checkConversation({
      platform,
      installation,
      workspace: flags.workspace ?? installation.tenant,
      conversationId,
      words,
      language: resolveLanguage(config.LASTWORD_DEFAULT_LOCALE, words.languages) ?? 'en',
      nowMs: Date.now,
    })
  } finally {
    await close()
  }
}

function platformFor(
  installation: Patient,
  config: Config,
  connections: Connections,
): { readonly platform: Platform; close(): Promise<void> } {
  if (installation.platform === 'slack') {
    const slack = createSlackPlatform({
      apiUrl: config.SLACK_API_URL,
      credentials: connections.slack,
      refresh: connections.refreshSlack,
    })
    return { platform: slack, close: slack.close }
  }
  const lark = createLarkPlatform({
    credentials: connections.lark,
    appTicket: connections.larkTickets.newest,
  })
  return { platform: lark, close: lark.close }
}

function nothingInstalled(): Check {
  return problem(
    'installations',
    'there are none',
    'set SLACK_BOT_TOKEN or LARK_APP_ID, or install the app from /slack/install',
  )
}

const MARKS: Readonly<Record<Check['state'], string>> = { ok: 'ok', note: 'note', problem: 'PROBLEM' }

function report(checks: readonly Check[]): string {
  const fixes = checks.flatMap((check) => (check.fix === undefined ? [] : [`${check.name}: ${check.fix}`]))
  const table = formatTable(checks.map((check) => [MARKS[check.state], check.name, check.detail]))
  return fixes.length === 0 ? table : `${table}\n\nTo do:\n${fixes.map((fix) => `  ${fix}`).join('\n')}`
}
