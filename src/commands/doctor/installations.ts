import type { Connections } from '../../app/connect.js'
import type { InstallationRef } from '../../deliver/platform.js'
import { LastwordError } from '../../errors.js'
import { probeSlack } from '../../platforms/slack/probe.js'
import { missingScopes } from '../../platforms/slack/scopes.js'
import type { Database } from '../../store/database.js'
import { type Check, clockCheck, faultText, note, ok, problem } from './check.js'
import { checkLark, type LarkDoctorOptions } from './lark.js'

/** An installation as the doctor sees it. */
export interface Patient extends InstallationRef {
  readonly state: 'active' | 'parked' | 'removed'
  readonly stateCode: string | null
  readonly refreshCode: string | null
  readonly baseUrl: string | null
}

/** @throws {LastwordError} `unknown_installation` when one is named and is not there */
export async function listPatients(db: Database, only: string | null): Promise<readonly Patient[]> {
  const rows = await db
    .selectFrom('installations')
    .select(['id', 'platform', 'tenant', 'state', 'state_code', 'refresh_code', 'base_url'])
    .where('state', '<>', 'removed')
    .$if(only !== null, (query) => query.where('id', '=', only ?? ''))
    .orderBy('id')
    .execute()
  if (only !== null && rows.length === 0) {
    throw new LastwordError('unknown_installation', `there is no installation ${only}`)
  }
  return rows.map((row) => ({
    id: row.id,
    platform: row.platform,
    tenant: row.tenant,
    state: row.state,
    stateCode: row.state_code,
    refreshCode: row.refresh_code,
    baseUrl: row.base_url,
  }))
}

export interface InstallationOptions {
  readonly connections: Pick<Connections, 'slack'>
  readonly slackApiUrl: string
  readonly lark: Omit<LarkDoctorOptions, 'nowMs'>
  readonly timeoutMs: number
  readonly nowMs: () => number
}

/** Token, permissions, host and clock of one installation. */
export async function checkInstallation(
  patient: Patient,
  options: InstallationOptions,
): Promise<readonly Check[]> {
  const checks =
    patient.platform === 'slack'
      ? await checkSlack(patient, options)
      : await checkLark(patient.id, { ...options.lark, nowMs: options.nowMs })
  const states: Check[] = []
  if (patient.state === 'parked') {
    states.push(
      problem(`${patient.id} state`, `parked: ${patient.stateCode ?? 'unknown'}`, reinstallHint(patient)),
    )
  }
  if (patient.refreshCode !== null) {
    states.push(
      problem(
        `${patient.id} refresh`,
        `the token could not be refreshed: ${patient.refreshCode}`,
        'are SLACK_CLIENT_ID and SLACK_CLIENT_SECRET those of the app that was installed?',
      ),
    )
  }
  return [...states, ...checks]
}

async function checkSlack(patient: Patient, options: InstallationOptions): Promise<readonly Check[]> {
  const { id } = patient
  const credentials = await options.connections.slack(id, { isFresh: true })
  if (credentials === null) return [problem(`${id} token`, 'there is none', reinstallHint(patient))]
  const probe = await probeSlack(patient.baseUrl ?? options.slackApiUrl, credentials.token, options)
  if (probe.kind !== 'works') return [problem(`${id} token`, faultText(probe), reinstallHint(patient))]
  return [
    ok(`${id} token`, `works in ${probe.name ?? probe.tenant}`),
    ...(probe.tenant === patient.tenant
      ? []
      : [problem(`${id} workspace`, `the token is of ${probe.tenant}`, reinstallHint(patient))]),
    scopesCheck(id, probe.scopes),
    clockCheck(id, probe.serverNowMs, options.nowMs()),
  ]
}

function scopesCheck(id: string, granted: readonly string[]): Check {
  if (granted.length === 0) return note(`${id} scopes`, 'Slack did not say which there are')
  const missing = missingScopes(granted)
  const fix = 'add them under OAuth & Permissions > Bot Token Scopes, then reinstall the app'
  if (missing.length === 0) return ok(`${id} scopes`, 'all there')
  const detail = missing.map((scope) => `${scope.name} (${scope.why})`).join('; ')
  return missing.some((scope) => scope.isRequired)
    ? problem(`${id} scopes`, `missing: ${detail}`, fix)
    : note(`${id} scopes`, `without: ${detail}`, fix)
}

function reinstallHint({ platform }: Patient): string {
  return platform === 'slack'
    ? 'install the app again (/slack/install), or put a new SLACK_BOT_TOKEN'
    : 'ask the administrator to enable the app in the admin console'
}
