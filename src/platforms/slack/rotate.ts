import { z } from 'zod'
import type { Fault } from '../../deliver/platform.js'
import { classify } from './classify.js'
import type { SlackClients } from './client.js'

/** An app's own credentials. */
export interface SlackAppSecrets {
  readonly clientId: string
  readonly clientSecret: string
}

/** What a refresh gave. */
export interface RotatedToken {
  readonly kind: 'rotated'
  readonly token: string
  readonly refreshToken: string
  /** Ms since the epoch, UTC. */
  readonly expiresAtMs: number
}

const Answer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
})

/**
 * Exchanges a refresh token, which works once, for a new token (docs.slack.dev/authentication/using-token-rotation).
 * One call, no retry: an exchange whose answer is lost leaves the old token, which works until it ends.
 */
export async function rotateSlackToken(
  clients: SlackClients,
  app: SlackAppSecrets,
  refreshToken: string,
  nowMs: () => number,
): Promise<RotatedToken | Fault> {
  try {
    const body = await clients.get('oauth').apiCall('oauth.v2.access', {
      client_id: app.clientId,
      client_secret: app.clientSecret,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    })
    const answer = Answer.safeParse(body)
    if (!answer.success) return { kind: 'unknown', code: 'unreadable_answer' }
    return {
      kind: 'rotated',
      token: answer.data.access_token,
      refreshToken: answer.data.refresh_token,
      expiresAtMs: nowMs() + answer.data.expires_in * 1_000,
    }
  } catch (error) {
    return classify(error, { method: 'oauth.v2.access', nowMs: nowMs() })
  }
}
