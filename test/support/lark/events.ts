import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { LARK } from './seed.js'

export const ENCRYPT_KEY = 'encrypt-key-of-the-test'
export const VERIFICATION_TOKEN = 'verification-token-of-the-test'

/** What the platform puts into an event; the rest is filled in. */
export interface EventFields {
  readonly appId: string
  readonly tenant?: string
  readonly id?: string
  readonly atMs?: number
  readonly token?: string
}

/** An event in schema 2.0. */
export function currentEvent(type: string, event: Record<string, unknown>, fields: EventFields): string {
  return JSON.stringify({
    schema: '2.0',
    header: {
      event_id: fields.id ?? randomUUID(),
      token: fields.token ?? VERIFICATION_TOKEN,
      create_time: String(fields.atMs ?? Date.now()),
      event_type: type,
      ...(fields.tenant === undefined ? {} : { tenant_key: fields.tenant }),
      app_id: fields.appId,
    },
    event,
  })
}

/** An event in schema 1.0, as app lifecycle events come. */
export function olderEvent(type: string, event: Record<string, unknown>, fields: EventFields): string {
  return JSON.stringify({
    ts: ((fields.atMs ?? Date.now()) / 1_000).toFixed(6),
    uuid: fields.id ?? randomUUID(),
    token: fields.token ?? VERIFICATION_TOKEN,
    type: 'event_callback',
    event: {
      app_id: fields.appId,
      ...(fields.tenant === undefined ? {} : { tenant_key: fields.tenant }),
      type,
      ...event,
    },
  })
}

export function challenge(word: string, token = VERIFICATION_TOKEN): string {
  return JSON.stringify({ challenge: word, token, type: 'url_verification' })
}

/** The body as the platform sends it to an app with an encrypt key. */
export function encrypted(plain: string | Buffer, key = ENCRYPT_KEY): string {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), iv)
  const bytes = Buffer.concat([iv, cipher.update(plain), cipher.final()])
  return JSON.stringify({ encrypt: bytes.toString('base64') })
}

/** Headers of a signed request. */
export function signed(
  body: string | Uint8Array,
  {
    atSeconds = Math.floor(Date.now() / 1_000),
    nonce = randomBytes(8).toString('hex'),
    key = ENCRYPT_KEY,
  }: { readonly atSeconds?: number | string; readonly nonce?: string; readonly key?: string } = {},
): Record<string, string> {
  const signature = createHash('sha256').update(`${atSeconds}${nonce}${key}`).update(body).digest('hex')
  return {
    'x-lark-request-timestamp': String(atSeconds),
    'x-lark-request-nonce': nonce,
    'x-lark-signature': signature,
  }
}

const anyFields = fc.dictionary(
  fc.constantFrom('chat_id', 'after_change', 'status', 'app_ticket', 'action', 'operator'),
  fc.jsonValue(),
)
const anyEvent = fc
  .record({
    type: fc.constantFrom('app_ticket', 'app_open', 'im.chat.updated_v1', 'card.action.trigger', 'x'),
    event: anyFields,
    isOld: fc.boolean(),
  })
  .map(({ type, event, isOld }) => (isOld ? olderEvent : currentEvent)(type, event, { appId: LARK.appId }))

/** Bytes that may come to an event door: noise, JSON, and events with fields of any shape; encrypted or not. */
export const randomBody: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc
  .tuple(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((json) => Buffer.from(json)),
      anyEvent.map((event) => Buffer.from(event)),
    ),
    fc.boolean(),
  )
  .map(([plain, isEncrypted]) => Uint8Array.from(isEncrypted ? Buffer.from(encrypted(plain)) : plain))
