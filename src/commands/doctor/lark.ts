import type { LarkCredentials } from '../../platforms/lark/credentials.js'
import type { LarkProver } from '../../platforms/lark/install.js'
import { type Check, clockCheck, faultText, ok, problem } from './check.js'

export interface LarkDoctorOptions {
  readonly credentials: (installationId: string) => Promise<LarkCredentials | null>
  readonly prover: LarkProver
  /** How events come in: over a socket, its address is asked for too. */
  readonly events: 'http' | 'socket'
  readonly nowMs: () => number
}

/** Token, bot, clock and, where it is used, the long connection of one app in one tenant. */
export async function checkLark(id: string, options: LarkDoctorOptions): Promise<readonly Check[]> {
  const credentials = await options.credentials(id)
  if (credentials === null) {
    const fix = 'bring its app back into LARK_APP_ID or LASTWORD_APPS_FILE'
    return [problem(`${id} token`, 'the app is not configured', fix)]
  }
  const { host } = new URL(credentials.baseUrl)
  const proof = await options.prover.prove(id, credentials)
  if (proof.kind !== 'works')
    return [problem(`${id} token`, `${faultText(proof)} at ${host}`, fixOf(proof.code))]
  return [
    ok(`${id} token`, `works at ${host}`),
    proof.botOpenId === null
      ? problem(`${id} bot`, 'there is none', FIXES.bot)
      : ok(`${id} bot`, proof.botName ?? proof.botOpenId),
    clockCheck(id, proof.serverNowMs, options.nowMs()),
    ...(options.events === 'socket' && credentials.kind === 'internal'
      ? [await checkSocket(id, credentials, options.prover)]
      : []),
  ]
}

/** The same call as the long connection's: an app of the other region passes the rest and fails here. */
async function checkSocket(id: string, credentials: LarkCredentials, prover: LarkProver): Promise<Check> {
  const fault = await prover.proveSocket(credentials)
  const { host } = new URL(credentials.baseUrl)
  return fault === null
    ? ok(`${id} long connection`, `taken at ${host}`)
    : problem(`${id} long connection`, `${faultText(fault)} at ${host}`, fixOf(fault.code))
}

const FIXES = {
  region:
    'an app lives on one host: LARK_BASE_URL=https://open.larksuite.com for Lark, https://open.feishu.cn for Feishu',
  secret:
    'copy App ID and App Secret from Credentials & Basic Info of the host in LARK_BASE_URL: open.larksuite.com (Lark) or open.feishu.cn (Feishu)',
  ticket:
    'its ticket was asked for: set the event address and its keys under Events & Callbacks, then try in a minute',
  allowlist: 'add the address of this machine under Security Settings > IP Allowlist, or empty the list',
  bot: 'switch on Features > Bot, then publish a version',
  install: 'ask the administrator to install or enable the app in the admin console',
  socket:
    'choose the long connection under Events & Callbacks > Subscription mode, while lastword serve runs',
  other: 'the documentation of the host explains the code: search for it there',
  network: 'is the host reachable from here? A proxy or a firewall may stand between',
} as const

const FIX_OF_CODE: Readonly<Record<string, keyof typeof FIXES>> = {
  '1000040351': 'region',
  '10003': 'secret',
  '10005': 'secret',
  '10014': 'secret',
  '10015': 'secret',
  '10012': 'ticket',
  '10013': 'ticket',
  app_ticket_missing: 'ticket',
  '99991401': 'allowlist',
  '230006': 'bot',
  '11205': 'bot',
  '99991662': 'install',
  '99991673': 'install',
  '11207': 'install',
  '11210': 'install',
  '20009': 'install',
  '1000040345': 'socket',
}

/** What to click for a code. */
function fixOf(code: string): string {
  if (/^[a-z]/.test(code) && FIX_OF_CODE[code] === undefined) return FIXES.network
  return FIXES[FIX_OF_CODE[code] ?? 'other']
}
