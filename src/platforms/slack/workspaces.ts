import { z } from 'zod'
import type { SlackClients } from './client.js'

/** Workspaces asked for in one call; docs.slack.dev/reference/methods/auth.teams.list allows 1000. */
const PAGE = 1_000
/** An organization with more workspaces than this tells the rest by events. */
const MAX_PAGES = 20

const Answer = z.object({
  teams: z.array(z.object({ id: z.string(), name: z.string().nullish() })),
  response_metadata: z.object({ next_cursor: z.string().nullish() }).nullish(),
})

/**
 * The workspaces an organization-wide token reaches. The organization's own id never stands for one of them.
 * Rejects with what the SDK throws.
 */
export async function listSlackWorkspaces(
  clients: SlackClients,
  token: string,
): Promise<readonly { readonly id: string; readonly name: string | null }[]> {
  const found: { id: string; name: string | null }[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const body = await clients
      .get('workspaces')
      .apiCall('auth.teams.list', { token, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) })
    const answer = Answer.parse(body)
    found.push(...answer.teams.map(({ id, name }) => ({ id, name: name ?? null })))
    cursor = answer.response_metadata?.next_cursor || undefined
    if (cursor === undefined) break
  }
  return found
}
