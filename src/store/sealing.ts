import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { LastwordError } from '../errors.js'

/** Bytes of one key: AES-256. */
const KEY_BYTES = 32
const FILE = 'encryption-key'

/** One key and the name it is known by in sealed values. */
export interface SealingKey {
  readonly kid: string
  readonly bytes: Uint8Array
}

/**
 * Seals secrets at rest as compact JWE (direct AES-256-GCM, RFC 7516). A sealed value names the place it belongs to
 * inside its authenticated header: moved to another row it does not open.
 */
export interface Sealer {
  /** Name of the key that seals. */
  readonly kid: string
  /** @param place what the value belongs to, such as `installation:slack:T1` */
  seal(plain: string, place: string): Promise<string>
  /** @throws {LastwordError} `credentials_unreadable` when no key of ours opens it, or it belongs elsewhere */
  open(sealed: string, place: string): Promise<string>
  /** Name of the key a value was sealed with, or null when it is no sealed value. */
  kidOf(sealed: string): string | null
}

/** The first key seals, all of them open. */
export function createSealer(keys: readonly [SealingKey, ...SealingKey[]]): Sealer {
  const [first] = keys
  const byKid = new Map(keys.map((key) => [key.kid, key.bytes]))
  return {
    kid: first.kid,
    seal: (plain, place) =>
      new CompactEncrypt(new TextEncoder().encode(plain))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: first.kid, place })
        .encrypt(first.bytes),
    async open(sealed, place) {
      const key = byKid.get(kidOf(sealed) ?? '')
      if (key === undefined) throw new LastwordError('credentials_unreadable')
      const opened = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }).catch(() => null)
      if (opened === null || opened.protectedHeader.place !== place) {
        throw new LastwordError('credentials_unreadable')
      }
      return new TextDecoder().decode(opened.plaintext)
    },
    kidOf,
  }
}

function kidOf(sealed: string): string | null {
  try {
    return decodeProtectedHeader(sealed).kid ?? null
  } catch {
    return null
  }
}

/**
 * Reads `LASTWORD_ENCRYPTION_KEYS`: `kid:key` pairs with commas between, each key 32 bytes as base64url.
 *
 * @throws {LastwordError} `config_invalid`, which names no value
 */
export function parseSealingKeys(text: string): readonly [SealingKey, ...SealingKey[]] {
  const keys = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map(parseKey)
  const [first, ...rest] = keys
  if (first === undefined || new Set(keys.map((key) => key.kid)).size !== keys.length) throw malformed()
  return [first, ...rest]
}

function parseKey(pair: string): SealingKey {
  const [, kid = '', encoded = ''] = /^([\w.-]{1,64}):([\w-]{43}=?)$/.exec(pair) ?? []
  const bytes = new Uint8Array(Buffer.from(encoded, 'base64url'))
  if (bytes.length !== KEY_BYTES) throw malformed()
  return { kid, bytes }
}

function malformed(): LastwordError {
  const expected = 'kid:key pairs with commas between, each kid once, each key 32 random bytes as base64url'
  const path = 'LASTWORD_ENCRYPTION_KEYS'
  return new LastwordError('config_invalid', `settings are not usable:\n  ${path}: ${expected}`, {
    faults: [{ path, expected }],
  })
}

/** A new key in the spelling of the setting. */
export function newSealingKey(kid: string): string {
  return `${kid}:${randomBytes(KEY_BYTES).toString('base64url')}`
}

/**
 * The sealer of the settings, or null when none is configured and none can be made.
 *
 * With the embedded database a key is made once, in a 0600 file beside it; keys of the settings come before it.
 *
 * @param dataDir null with a database of the operator's own: then a key must be given
 * @throws {LastwordError} `config_invalid`
 */
export async function openSealer(
  setting: string | undefined,
  dataDir: string | null,
): Promise<Sealer | null> {
  const given = setting ?? ''
  const kept = dataDir === null ? '' : await readKept(join(dataDir, FILE))
  const known = [given, kept].filter((text) => text !== '').join(',')
  if (known !== '') return createSealer(parseSealingKeys(known))
  if (dataDir === null) return null
  return createSealer(parseSealingKeys(await makeKept(dataDir)))
}

async function readKept(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.trim()
}

async function makeKept(dataDir: string): Promise<string> {
  const path = join(dataDir, FILE)
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(path, `${newSealingKey('local')}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(path, 0o600)
  } catch (error) {
    // Another command on this folder was faster: its key stands.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readKept(path)
}
