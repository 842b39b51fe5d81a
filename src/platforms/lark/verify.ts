import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'

/** What an app's console shows under "Events & Callbacks > Encryption Strategy". At least one is set. */
export interface LarkEventKeys {
  readonly appId: string
  readonly encryptKey: string | null
  readonly verificationToken: string | null
}

/** A request as it came in; nothing of it is parsed yet, since the signature is over the bytes. */
export interface LarkRequest {
  readonly timestamp: string | null
  readonly nonce: string | null
  readonly signature: string | null
  readonly body: Buffer
}

export type Verified =
  /** The console saves the address only when this word comes back. */
  | { readonly kind: 'challenge'; readonly challenge: string }
  /** `once`: names this very request, null when it carries no signature. */
  | { readonly kind: 'body'; readonly body: Readonly<Record<string, unknown>>; readonly once: string | null }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 403; readonly code: RefusalCode }

export type RefusalCode =
  | 'not_signed'
  | 'bad_timestamp'
  | 'bad_signature'
  | 'not_encrypted'
  | 'not_decryptable'
  | 'not_json'
  | 'bad_token'
  | 'other_app'

/** How far a signed request's time may be from our clock, in ms. Lark signs each delivery anew, redeliveries too. */
const MAX_AGE_MS = 300_000
const MAX_AHEAD_MS = 60_000
const IV_BYTES = 16

/**
 * Checks one request by everything the app has keys for (open.feishu.cn, event-subscription-guide: the signature is
 * SHA-256 over timestamp, nonce, encrypt key and raw body; the body is AES-256-CBC under the key's SHA-256).
 *
 * Lark sends the first challenge encrypted and without a signature: what it decrypts to is answered, and nothing else
 * that comes without one.
 *
 * @param nowMs milliseconds since the epoch, UTC
 */
export function verifyLarkRequest(keys: LarkEventKeys, request: LarkRequest, nowMs: number): Verified {
  const isSigned = request.signature !== null
  if (keys.encryptKey !== null && isSigned) {
    const fault = signatureFault(keys.encryptKey, request, nowMs)
    if (fault !== null) return refused(401, fault)
  }
  const outer = jsonObject(request.body)
  if (outer === null) return refused(400, 'not_json')
  const body = plainBody(keys.encryptKey, outer, isSigned)
  if (typeof body === 'string') return refused(body === 'not_encrypted' || !isSigned ? 401 : 400, body)
  if (keys.verificationToken !== null && !same(keys.verificationToken, tokenOf(body)))
    return refused(401, 'bad_token')
  if (body.type === 'url_verification') {
    const { challenge } = body
    return typeof challenge === 'string' && challenge.length <= 1_000
      ? { kind: 'challenge', challenge }
      : refused(400, 'not_json')
  }
  if (keys.encryptKey !== null && !isSigned) return refused(401, 'not_signed')
  const appId = appIdOf(body)
  if (appId !== null && appId !== keys.appId) return refused(403, 'other_app')
  return { kind: 'body', body, once: keys.encryptKey === null ? null : request.signature }
}

function refused(status: 400 | 401 | 403, code: RefusalCode): Verified {
  return { kind: 'refused', status, code }
}

function signatureFault(
  encryptKey: string,
  { timestamp, nonce, signature, body }: LarkRequest,
  nowMs: number,
): RefusalCode | null {
  const atMs = millisecondsOf(timestamp ?? '')
  if (atMs === null || nowMs - atMs > MAX_AGE_MS || atMs - nowMs > MAX_AHEAD_MS) return 'bad_timestamp'
  const expected = createHash('sha256')
    .update(`${timestamp}${nonce ?? ''}${encryptKey}`)
    .update(body)
    .digest('hex')
  return same(expected, signature) ? null : 'bad_signature'
}

/** Lark tells seconds; milliseconds, which some of its gateways send, have three digits more. */
function millisecondsOf(timestamp: string): number | null {
  if (/^\d{13}$/.test(timestamp)) return Number(timestamp)
  return /^\d{1,11}$/.test(timestamp) ? Number(timestamp) * 1_000 : null
}

function plainBody(
  encryptKey: string | null,
  outer: Readonly<Record<string, unknown>>,
  isSigned: boolean,
): Readonly<Record<string, unknown>> | RefusalCode {
  const { encrypt } = outer
  if (encryptKey === null) return typeof encrypt === 'string' ? 'not_decryptable' : outer
  // A plain body under a good signature is genuine; without one it is anybody's.
  if (typeof encrypt !== 'string') return isSigned ? outer : 'not_encrypted'
  const decrypted = decrypt(encryptKey, encrypt)
  return (decrypted === null ? null : jsonObject(decrypted)) ?? 'not_decryptable'
}

function decrypt(encryptKey: string, encrypted: string): Buffer | null {
  const bytes = Buffer.from(encrypted, 'base64')
  if (bytes.length < 2 * IV_BYTES || bytes.length % IV_BYTES !== 0) return null
  try {
    const key = createHash('sha256').update(encryptKey).digest()
    const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, IV_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** JSON in UTF-8 whose top is an object, or null. */
function jsonObject(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return record(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return null
  }
}

/** The token of either schema: at the top (1.0 and challenges) or in the header (2.0). */
function tokenOf(body: Readonly<Record<string, unknown>>): unknown {
  return body.token ?? record(body.header)?.token
}

function appIdOf(body: Readonly<Record<string, unknown>>): string | null {
  const appId = record(body.header)?.app_id ?? record(body.event)?.app_id
  return typeof appId === 'string' ? appId : null
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return Object.fromEntries(Object.entries(value))
}

/** Compares in constant time; hashes first, so that lengths tell nothing either. */
function same(expected: string, given: unknown): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(hash(expected), hash(given))
}
