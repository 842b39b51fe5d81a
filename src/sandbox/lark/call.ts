import type { JsonObject } from './json.js'
import type { App, Tenant, World } from './records.js'

/** One request as the server understood it. `name` is `unknown` for a path the platform does not have. */
export interface LarkCall {
  /** Dotted, as in the SDK: `im.message.create`, `auth.tenant_access_token.internal`. */
  readonly name: string
  readonly httpMethod: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: JsonObject
  /** Size of the request body as it came over the wire. */
  readonly bodyBytes: number
  /** The bearer token, or null. */
  readonly token: string | null
  /** The multipart form of an upload. */
  readonly form: FormData | null
}

/** What goes back over the wire. `messageId` is set when the call made or named a message. */
export interface LarkAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** The app and tenant a token speaks for. */
export interface Session {
  readonly app: App
  readonly tenant: Tenant
}

/** A handler that needs no token. Throws `LarkRefusal`. */
export type OpenHandler = (world: World, call: LarkCall) => LarkAnswer

/** A handler behind a tenant token; returns `data`. Throws `LarkRefusal`. */
export type Handler = (world: World, call: LarkCall, session: Session) => JsonObject | Promise<JsonObject>

export function answer(body: JsonObject, status = 200): LarkAnswer {
  return { status, headers: {}, body }
}
