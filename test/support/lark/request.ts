import type { LarkFake } from './fake.js'
import { LARK } from './seed.js'

/** One raw HTTP call, for what the SDK would not let us send. */
export interface RawCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/open-apis/`, query included. */
  readonly path: string
  readonly body?: unknown
  /** Left out: a good token of the internal app. Null: none. */
  readonly token?: string | null
}

export interface RawAnswer {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** Makes the call and reads the platform's envelope. */
export async function rawCall(
  fake: LarkFake,
  { method = 'POST', path, body, token }: RawCall,
): Promise<RawAnswer> {
  const bearer = token === undefined ? await tokenOf(fake) : token
  const response = await fetch(`${fake.url}/open-apis/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const envelope = record(await response.json())
  return {
    status: response.status,
    code: Number(envelope.code),
    msg: String(envelope.msg),
    data: record(envelope.data ?? {}),
    headers: response.headers,
  }
}

/** The internal app's tenant token. */
export async function tokenOf(fake: LarkFake): Promise<string> {
  const response = await fetch(`${fake.url}/open-apis/auth/v3/tenant_access_token/internal`, {
    method: 'POST',
    body: JSON.stringify({ app_id: LARK.appId, app_secret: LARK.appSecret }),
  })
  return String(record(await response.json()).tenant_access_token)
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object')
  return Object.fromEntries(Object.entries(value))
}
