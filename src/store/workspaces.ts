import { sql } from 'kysely'
import type { Database } from './database.js'

/** A workspace an organization-wide installation serves. */
export interface Workspace {
  readonly id: string
  readonly name: string | null
}

/** Adds workspaces to an organization-wide installation; a name that is not known leaves the one that is. */
export async function addWorkspaces(
  db: Database,
  installationId: string,
  workspaces: readonly Workspace[],
): Promise<void> {
  if (workspaces.length === 0) return
  await db
    .insertInto('workspaces')
    .values(workspaces.map(({ id, name }) => ({ installation_id: installationId, workspace: id, name })))
    .onConflict((conflict) =>
      conflict.columns(['installation_id', 'workspace']).doUpdateSet({
        name: sql<string>`coalesce(excluded.name, workspaces.name)`,
        seen_at: sql`now()`,
      }),
    )
    .execute()
}

/** Takes workspaces away from an organization-wide installation. */
export async function removeWorkspaces(
  db: Database,
  installationId: string,
  workspaces: readonly string[],
): Promise<void> {
  if (workspaces.length === 0) return
  await db
    .deleteFrom('workspaces')
    .where('installation_id', '=', installationId)
    .where('workspace', 'in', [...workspaces])
    .execute()
}
