import { z } from 'zod'
import { createSlackClients } from './client.js'

/** Whose bot a token is. */
export interface SlackIdentity {
  readonly workspace: string
  readonly name: string | null
  readonly isOrgWide: boolean
  readonly botId: string | null
  readonly botUserId: string | null
  readonly scopes: readonly string[]
}

const answer = z.object({
  team_id: z.string(),
  team: z.string().optional(),
  user_id: z.string().optional(),
  bot_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
})

/** Asks Slack whose token this is (`auth.test`). Rejects with what the SDK throws when Slack does not answer or refuses. */
export async function identifySlack(apiUrl: string, token: string): Promise<SlackIdentity> {
  const clients = createSlackClients({ apiUrl })
  try {
    const body = answer.parse(await clients.get('identity').apiCall('auth.test', { token }))
    return {
      workspace: body.team_id,
      name: body.team ?? null,
      isOrgWide: body.is_enterprise_install ?? false,
      botId: body.bot_id ?? null,
      botUserId: body.user_id ?? null,
      scopes: body.response_metadata?.scopes ?? [],
    }
  } finally {
    await clients.close()
  }
}
