import { answer, type LarkAnswer, type LarkCall, type OpenHandler, type Session } from './call.js'
import { stringOf } from './json.js'
import type { App, Token, World } from './records.js'
import { LarkRefusal } from './refusal.js'

/** Platform notes 4.8: tokens live 2 h, and the same token comes back while more than 30 min are left. */
const TOKEN_LIFE_MS = 7_200_000
const SAME_TOKEN_MS = 1_800_000

/** `POST auth/v3/tenant_access_token/internal`: an internal app's token for its own tenant. */
export const tenantTokenInternal: OpenHandler = (world, call) => {
  const app = authenticate(world, call)
  if (app.kind !== 'internal') throw new LarkRefusal(10003, 'store apps have no internal token')
  const token = issue(world, app, app.ownerTenant)
  return answer({ code: 0, msg: 'ok', tenant_access_token: token.value, expire: secondsLeft(world, token) })
}

/** `POST auth/v3/app_access_token/internal`. */
export const appTokenInternal: OpenHandler = (world, call) => {
  const app = authenticate(world, call)
  if (app.kind !== 'internal') throw new LarkRefusal(10003, 'store apps have no internal token')
  const tenantToken = issue(world, app, app.ownerTenant)
  return appTokenAnswer(world, app, tenantToken.value)
}

/** `POST auth/v3/app_access_token`: a store app shows the ticket it was pushed. */
export const appToken: OpenHandler = (world, call) => {
  const app = authenticate(world, call)
  if (app.kind !== 'store') throw new LarkRefusal(10003, 'internal apps have no ticket')
  const ticket = stringOf(call.body, 'app_ticket')
  if (app.ticket === null) throw new LarkRefusal(10013)
  if (ticket !== app.ticket) throw new LarkRefusal(10012)
  return appTokenAnswer(world, app, null)
}

/** `POST auth/v3/tenant_access_token`: a store app's token for one tenant that installed it. */
export const tenantToken: OpenHandler = (world, call) => {
  const appId = world.appAccessTokens.get(stringOf(call.body, 'app_access_token') ?? '')
  const app = appId === undefined ? undefined : world.apps.get(appId)
  if (app === undefined) throw new LarkRefusal(99991664)
  const tenant = world.tenants.get(stringOf(call.body, 'tenant_key') ?? '')
  if (tenant === undefined) throw new LarkRefusal(10003, 'tenant_key')
  if (!tenant.apps.has(app.id)) throw new LarkRefusal(20009)
  const token = issue(world, app, tenant.key)
  return answer({ code: 0, msg: 'ok', tenant_access_token: token.value, expire: secondsLeft(world, token) })
}

/** `POST auth/v3/app_ticket/resend`: the platform will push `app_ticket` again; `onTicket` is that push. */
export function resendTicket(onTicket: (appId: string, ticket: string) => void): OpenHandler {
  return (world, call) => {
    const app = authenticate(world, call)
    app.ticket ??= world.newId('ticket_')
    onTicket(app.id, app.ticket)
    return answer({ code: 0, msg: 'success' })
  }
}

/** Who a bearer token speaks for, checked in the platform's order: present, well formed, known, installed. */
export function sessionOf(world: World, call: LarkCall): Session {
  if (call.token === null || call.token === '') throw new LarkRefusal(99991661)
  if (call.token.startsWith('u-')) throw new LarkRefusal(99991668)
  if (!call.token.startsWith('t-')) throw new LarkRefusal(99991671)
  const token = world.tokens.get(call.token)
  if (token === undefined || token.expiresAtMs <= world.now()) throw new LarkRefusal(99991663)
  const app = world.apps.get(token.appId)
  const tenant = world.tenants.get(token.tenant)
  if (app === undefined || tenant === undefined) throw new LarkRefusal(99991663)
  if (!app.enabled) throw new LarkRefusal(99991662)
  if (tenant.deleted) throw new LarkRefusal(230036)
  if (!tenant.apps.has(app.id)) throw new LarkRefusal(99991673)
  return { app, tenant }
}

/** Makes every issued token worthless before its time, as after a secret was reset. */
export function revokeTokens(world: World): void {
  world.tokens.clear()
  world.appAccessTokens.clear()
}

function authenticate(world: World, call: LarkCall): App {
  const appId = stringOf(call.body, 'app_id')
  const secret = stringOf(call.body, 'app_secret')
  if (appId === null || secret === null) throw new LarkRefusal(10003)
  const app = world.apps.get(appId)
  if (app === undefined || !app.enabled) throw new LarkRefusal(10014)
  if (app.secret !== secret) throw new LarkRefusal(10015)
  return app
}

function issue(world: World, app: App, tenant: string): Token {
  const now = world.now()
  for (const token of world.tokens.values()) {
    const isFresh = token.expiresAtMs - now > SAME_TOKEN_MS
    if (token.appId === app.id && token.tenant === tenant && isFresh) return token
  }
  const token: Token = { value: world.newId('t-g1'), appId: app.id, tenant, expiresAtMs: now + TOKEN_LIFE_MS }
  world.tokens.set(token.value, token)
  return token
}

function appTokenAnswer(world: World, app: App, tenantTokenValue: string | null): LarkAnswer {
  const value = world.newId('a-g1')
  world.appAccessTokens.set(value, app.id)
  const tenantPart = tenantTokenValue === null ? {} : { tenant_access_token: tenantTokenValue }
  return answer({ code: 0, msg: 'ok', app_access_token: value, expire: TOKEN_LIFE_MS / 1000, ...tenantPart })
}

function secondsLeft(world: World, token: Token): number {
  return Math.floor((token.expiresAtMs - world.now()) / 1000)
}
