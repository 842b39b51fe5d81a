import { fetch } from 'undici'
import { z } from 'zod'
import type { Fault } from '../../deliver/platform.js'
import { classify, classifyCode } from './classify.js'

/** A token that Slack takes, and what Slack says with it. */
export interface SlackProbe {
  readonly kind: 'works'
  /** Team or enterprise id. */
  readonly tenant: string
  readonly name: string | null
  readonly scopes: readonly string[]
  /** By the answer's own clock, ms since the epoch, UTC; null when it has none. */
  readonly serverNowMs: number | null
}

const Answer = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  team_id: z.string().optional(),
  team: z.string().optional(),
})

/** Asks Slack about a token with one bare call, for the headers that the SDK keeps to itself. Never throws. */
export async function probeSlack(
  apiUrl: string,
  token: string,
  options: { readonly timeoutMs: number; readonly nowMs: () => number },
): Promise<SlackProbe | Fault> {
  const call = { method: 'auth.test', nowMs: options.nowMs() }
  try {
    const response = await fetch(new URL('auth.test', apiUrl), {
      method: 'POST',
      redirect: 'error',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(options.timeoutMs),
    })
    const answer = Answer.safeParse(await response.json().catch(() => null))
    if (!answer.success) return { kind: 'unknown', code: `http_${response.status}` }
    if (!answer.data.ok) return classifyCode(answer.data.error ?? 'unknown', call)
    const serverNowMs = Date.parse(response.headers.get('date') ?? '')
    return {
      kind: 'works',
      tenant: answer.data.team_id ?? '',
      name: answer.data.team ?? null,
      scopes: (response.headers.get('x-oauth-scopes') ?? '')
        .split(',')
        .map((scope) => scope.trim())
        .filter((scope) => scope !== ''),
      serverNowMs: Number.isNaN(serverNowMs) ? null : serverNowMs,
    }
  } catch (error) {
    return classify(error, call)
  }
}
