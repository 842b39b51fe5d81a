import type { Fault } from '../../deliver/platform.js'
import { beforeSending, classifyAnswer, classifyThrown, type LarkAnswer } from './classify.js'
import type { LarkHttp } from './client-http.js'
import { hostOf, type LarkCredentials } from './credentials.js'
import { createTokenCache, type TokenGrant, type TokenResult } from './tokens.js'

/** Lark pushes a store app's ticket hourly; asking for it more often than this brings nothing sooner. */
const RESEND_PAUSE_MS = 60_000

export interface TokenSourceOptions {
  readonly http: LarkHttp
  /** The newest ticket pushed to a store app, or null while none has come. */
  readonly appTicket: (appId: string) => Promise<string | null>
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** Tenant access tokens, kept by installation and host: the same app id on another host is another app. */
export interface TokenSource {
  get(installationId: string, credentials: LarkCredentials): Promise<TokenResult>
  /** Forgets a token that Lark refused, unless it has been replaced since. */
  refused(installationId: string, credentials: LarkCredentials, value: string): void
  refresh(installationId: string, credentials: LarkCredentials): Promise<TokenResult>
}

/**
 * Gets tokens as the app's kind demands (open.feishu.cn, server-docs/authentication-management). Whatever goes wrong
 * here goes wrong before a message is offered, so no fault is ever `unknown`.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const cache = createTokenCache(options.now)
  const storeApps = createStoreApps(options)
  const fetchFor = (credentials: LarkCredentials) => async () => {
    const isInternal = credentials.kind === 'internal'
    return refusedOrGranted(
      isInternal ? await internalToken(options.http, credentials) : await storeApps.tenantToken(credentials),
    )
  }
  return {
    get: (id, credentials) => cache.get(keyOf(id, credentials), fetchFor(credentials)),
    refused: (id, credentials, value) => cache.refused(keyOf(id, credentials), value),
    refresh: (id, credentials) => cache.refresh(keyOf(id, credentials), fetchFor(credentials)),
  }
}

function keyOf(installationId: string, { baseUrl, appId, tenant }: LarkCredentials): string {
  return JSON.stringify([installationId, hostOf(baseUrl), appId, tenant])
}

async function internalToken(http: LarkHttp, credentials: LarkCredentials): Promise<TokenGrant> {
  const answer = await post(http, credentials, 'tenant_access_token/internal', {
    app_id: credentials.appId,
    app_secret: credentials.appSecret,
  })
  return grantOf(answer, 'tenant_access_token')
}

interface StoreApps {
  tenantToken(credentials: LarkCredentials): Promise<TokenGrant>
}

/** A store app shows its ticket for an app token, and that for each tenant's. */
function createStoreApps({ http, appTicket, now }: TokenSourceOptions): StoreApps {
  const appTokens = createTokenCache(now)
  const resentAtMs = new Map<string, number>()

  const askForTicket = async (credentials: LarkCredentials): Promise<void> => {
    const key = appKeyOf(credentials)
    const last = resentAtMs.get(key)
    if (last !== undefined && now() - last < RESEND_PAUSE_MS) return
    resentAtMs.set(key, now())
    const { appId, appSecret } = credentials
    await post(http, credentials, 'app_ticket/resend', { app_id: appId, app_secret: appSecret })
  }

  const appToken = async (credentials: LarkCredentials): Promise<TokenGrant> => {
    const { appId, appSecret } = credentials
    const ticket = await appTicket(appId)
    if (ticket === null) {
      await askForTicket(credentials)
      return { kind: 'not_sent', code: 'app_ticket_missing' }
    }
    const body = { app_id: appId, app_secret: appSecret, app_ticket: ticket }
    const grant = grantOf(await post(http, credentials, 'app_access_token', body), 'app_access_token')
    if (grant.kind === 'not_sent' && (grant.code === '10012' || grant.code === '10013'))
      await askForTicket(credentials)
    return grant
  }

  return {
    async tenantToken(credentials) {
      const key = appKeyOf(credentials)
      const app = await appTokens.get(key, () => appToken(credentials))
      if (app.kind !== 'ready') return app
      const body = { app_access_token: app.value, tenant_key: credentials.tenant }
      const grant = grantOf(await post(http, credentials, 'tenant_access_token', body), 'tenant_access_token')
      // An app token that died early: the next attempt shows the ticket again.
      if (grant.kind === 'token') appTokens.refused(key, app.value)
      return grant
    },
  }
}

function appKeyOf({ baseUrl, appId }: LarkCredentials): string {
  return JSON.stringify([hostOf(baseUrl), appId])
}

async function post(
  http: LarkHttp,
  { baseUrl }: LarkCredentials,
  path: string,
  body: Readonly<Record<string, string>>,
): Promise<LarkAnswer | Fault> {
  try {
    return await http.call({ method: 'POST', url: `${hostOf(baseUrl)}/open-apis/auth/v3/${path}`, body })
  } catch (thrown) {
    return beforeSending(classifyThrown(thrown))
  }
}

function grantOf(answer: LarkAnswer | Fault, field: 'tenant_access_token' | 'app_access_token'): TokenGrant {
  if ('kind' in answer) return answer
  const fault = classifyAnswer(answer)
  if (fault !== null) return beforeSending(fault)
  const { body } = answer
  if (typeof body !== 'object' || body === null || !(field in body) || !('expire' in body)) return NO_TOKEN
  const value = Reflect.get(body, field)
  const { expire } = body
  if (typeof value !== 'string' || value === '' || typeof expire !== 'number' || !(expire > 0))
    return NO_TOKEN
  return { kind: 'granted', value, lifetimeMs: expire * 1000 }
}

/** Only what an operator or a wait can mend keeps its kind: the rest of a token endpoint's answers say nothing of a message. */
function refusedOrGranted(grant: TokenGrant): TokenGrant {
  switch (grant.kind) {
    case 'granted':
    case 'rate_limited':
    case 'installation_dead':
    case 'not_sent':
      return grant
    default:
      return { kind: 'not_sent', code: grant.code, vendorLogId: grant.vendorLogId }
  }
}

/** Code 0 without a token: never a reason to send a message without one. */
const NO_TOKEN: Fault = { kind: 'not_sent', code: 'no_token_in_answer' }
