import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'

/** The key of the first producer: from the settings, else made once and kept in a 0600 file beside the database. */
export async function ownKey(config: Config): Promise<string> {
  return config.LASTWORD_API_KEY ?? (await readOwnKey(config)) ?? makeOwnKey(config)
}

/** The key as a command on this machine may know it, or null. */
export async function readOwnKey(config: Config): Promise<string | null> {
  if (config.LASTWORD_API_KEY !== undefined) return config.LASTWORD_API_KEY
  const known = await readFile(pathOf(config), 'utf8').catch(() => '')
  return known.trim() === '' ? null : known.trim()
}

async function makeOwnKey(config: Config): Promise<string> {
  const key = `lw_${randomBytes(24).toString('base64url')}`
  await mkdir(config.LASTWORD_DATA_DIR, { recursive: true })
  await writeFile(pathOf(config), `${key}\n`, { mode: 0o600 })
  return key
}

function pathOf(config: Config): string {
  return join(config.LASTWORD_DATA_DIR, 'api-key')
}

/** Compares in constant time. */
export function keyMatches(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
