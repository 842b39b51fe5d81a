import { z } from 'zod'
import type { Fault } from '../../deliver/platform.js'
import { classifyAnswer, classifyThrown } from './classify.js'
import { createLarkHttp } from './client-http.js'
import { hostOf, type LarkCredentials } from './credentials.js'
import type { AppCheck } from './handle-event.js'
import { createTokenSource } from './token-source.js'

/**
 * There is no install to walk through on Lark: an administrator adds the app, and we hear of it. What can be done
 * here is to ask whether an app speaks for a tenant.
 */
export interface LarkProver {
  /** Fetches a token and uses it once: who is the bot? */
  prove(installationId: string, credentials: LarkCredentials): Promise<LarkProof | Fault>
  /** Asks where a long connection would go, and opens none. Null: it may. */
  proveSocket(credentials: Pick<LarkCredentials, 'appId' | 'appSecret' | 'baseUrl'>): Promise<Fault | null>
  close(): Promise<void>
}

/** An app that works in a tenant. */
export interface LarkProof {
  readonly kind: 'works'
  readonly botName: string | null
  readonly botOpenId: string | null
  /** By the answer's own clock, ms since the epoch, UTC; null when it has none. */
  readonly serverNowMs: number | null
}

export interface LarkProverOptions {
  readonly appTicket: (appId: string) => Promise<string | null>
  /** Of one call, in ms. */
  readonly timeoutMs: number
  /** Milliseconds since the epoch, UTC. */
  readonly now: () => number
}

const Bot = z.object({
  bot: z.object({ app_name: z.string().nullish(), open_id: z.string().nullish() }).nullish(),
})

export function createLarkProver(options: LarkProverOptions): LarkProver {
  const http = createLarkHttp({ timeoutMs: options.timeoutMs })
  const tokens = createTokenSource({ http, appTicket: options.appTicket, now: options.now })
  return {
    async prove(installationId, credentials) {
      const token = await tokens.refresh(installationId, credentials)
      if (token.kind !== 'ready') return token
      try {
        const answer = await http.call({
          method: 'GET',
          url: `${hostOf(credentials.baseUrl)}/open-apis/bot/v3/info`,
          headers: { authorization: `Bearer ${token.value}` },
        })
        const fault = classifyAnswer(answer)
        if (fault !== null) return fault
        const read = Bot.safeParse(answer.body)
        const bot = read.success ? read.data.bot : null
        return {
          kind: 'works',
          botName: bot?.app_name ?? null,
          botOpenId: bot?.open_id ?? null,
          serverNowMs: dateOf(answer.headers.date),
        }
      } catch (thrown) {
        return classifyThrown(thrown)
      }
    },
    async proveSocket({ appId, appSecret, baseUrl }) {
      try {
        const url = `${hostOf(baseUrl)}/callback/ws/endpoint`
        const body = { AppID: appId, AppSecret: appSecret }
        return classifyAnswer(await http.call({ method: 'POST', url, body }))
      } catch (thrown) {
        return classifyThrown(thrown)
      }
    },
    close: () => http.close(),
  }
}

function dateOf(header: unknown): number | null {
  const ms = typeof header === 'string' ? Date.parse(header) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/** Codes by which Lark says that the app is off or gone in a tenant; 10014 also stands for an app that is off. */
const REFUSED: ReadonlySet<string> = new Set(['10014', '230006'])

/** What a proof says of an event that calls the app gone. What could have another reason decides nothing. */
export function appCheckOf(proof: LarkProof | Fault): AppCheck {
  if (proof.kind === 'works') return 'works'
  if (proof.kind !== 'installation_dead') return 'unknown'
  return proof.remedy === 'reinstall' || REFUSED.has(proof.code) ? 'refused' : 'unknown'
}
