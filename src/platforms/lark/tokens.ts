import type { Fault } from '../../deliver/platform.js'

/** A token as its endpoint grants it, or why there is none. */
export type TokenGrant =
  | { readonly kind: 'granted'; readonly value: string; readonly lifetimeMs: number }
  | Fault
export type TokenResult = { readonly kind: 'ready'; readonly value: string } | Fault

/** A new token is fetched this long before the old one ends, so that no call leaves with a token about to die. */
const MARGIN_MS = 10 * 60_000
/** Short-lived tokens keep most of their life. */
const MARGIN_SHARE = 0.25
/** While the old token still works, a failed refresh is not tried again by every call. */
const REFRESH_PAUSE_MS = 30_000
/** `refresh` keeps a token younger than this: whoever asks at the same time gets the same new one. */
const JUST_FETCHED_MS = 5_000

interface Held {
  readonly value: string
  readonly fetchedAtMs: number
  readonly expiresAtMs: number
  /** Past this a call fetches first; moved on when that fails. */
  refreshAtMs: number
}

/**
 * Tokens by key, in memory. There are no timers: a token is fetched when a call needs one, so an idle installation
 * makes no calls (Lark's free plan counts 10,000 a month, tokens included).
 */
export interface TokenCache {
  /** The key's token. Any number of callers at once cause one fetch. */
  get(key: string, fetch: () => Promise<TokenGrant>): Promise<TokenResult>
  /** Forgets `value` if it is still the key's token; a newer one is left alone. */
  refused(key: string, value: string): void
  /** Drops the token and fetches another, once for all who ask at the same time. */
  refresh(key: string, fetch: () => Promise<TokenGrant>): Promise<TokenResult>
}

/** @param now the clock, in milliseconds since the Unix epoch */
export function createTokenCache(now: () => number): TokenCache {
  const held = new Map<string, Held>()
  const inFlight = new Map<string, Promise<TokenResult>>()

  const load = (key: string, fetch: () => Promise<TokenGrant>): Promise<TokenResult> => {
    const running = inFlight.get(key)
    if (running !== undefined) return running
    const started = fetch()
      .then((grant) => settle(key, grant))
      .finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }

  const settle = (key: string, grant: TokenGrant): TokenResult => {
    if (grant.kind === 'granted') {
      held.set(key, heldFrom(grant, now()))
      return { kind: 'ready', value: grant.value }
    }
    const old = held.get(key)
    if (old === undefined || old.expiresAtMs <= now()) return grant
    old.refreshAtMs = now() + REFRESH_PAUSE_MS
    return { kind: 'ready', value: old.value }
  }

  return {
    async get(key, fetch) {
      const token = held.get(key)
      if (token !== undefined && now() < Math.min(token.refreshAtMs, token.expiresAtMs)) {
        return { kind: 'ready', value: token.value }
      }
      return load(key, fetch)
    },
    refused(key, value) {
      if (held.get(key)?.value === value) held.delete(key)
    },
    async refresh(key, fetch) {
      const token = held.get(key)
      if (token !== undefined && now() - token.fetchedAtMs < JUST_FETCHED_MS) {
        return { kind: 'ready', value: token.value }
      }
      if (!inFlight.has(key)) held.delete(key)
      return load(key, fetch)
    },
  }
}

function heldFrom(grant: { readonly value: string; readonly lifetimeMs: number }, nowMs: number): Held {
  const marginMs = Math.min(MARGIN_MS, grant.lifetimeMs * MARGIN_SHARE)
  const expiresAtMs = nowMs + grant.lifetimeMs
  return { value: grant.value, fetchedAtMs: nowMs, expiresAtMs, refreshAtMs: expiresAtMs - marginMs }
}
