import { LastwordError } from '../errors.js'

/**
 * What one process may do. Any number of processes share one database, without a leader: `intake` takes runs in
 * (HTTP, queues), `deliver` works on lanes and sends receipts, `web` serves pages, events and the reading API.
 */
export const ROLES = ['intake', 'deliver', 'web'] as const
export type Role = (typeof ROLES)[number]

export const ALL_ROLES: ReadonlySet<Role> = new Set(ROLES)

/** Reads `--role intake,web`. @throws {LastwordError} `usage` for a word that is no role */
export function parseRoles(list: string): ReadonlySet<Role> {
  const names = list.split(',').map((name) => name.trim())
  const known = names.flatMap((name) => ROLES.filter((role) => role === name))
  if (known.length !== names.length) {
    throw new LastwordError('usage', `--role takes ${ROLES.join(', ')}, separated by commas`)
  }
  return new Set(known)
}
