import type { Fault, InstallationRef } from '../../deliver/platform.js'
import { classifyThrown } from './classify.js'
import { type AsTenant, asTenant, createLarkClients, type LarkIm } from './client.js'
import type { LarkHttp } from './client-http.js'
import { hostOf, type LarkCredentials } from './credentials.js'
import type { TokenSource } from './token-source.js'
import type { TokenResult } from './tokens.js'

export interface Session {
  readonly im: LarkIm
  readonly as: AsTenant
  readonly appId: string
}

export type Called<T> = { readonly kind: 'ok'; readonly value: T } | Fault

/** Makes calls for installations: finds the credentials, brings a token, turns whatever goes wrong into a fault. */
export interface LarkCaller {
  /** Runs one SDK call. A refused token is forgotten at once, so that the next call fetches another. */
  call<T>(installation: InstallationRef, run: (session: Session) => Promise<T>): Promise<Called<T>>
  refreshToken(installation: InstallationRef): Promise<{ readonly kind: 'refreshed' } | Fault>
}

export interface LarkCallerOptions {
  readonly http: LarkHttp
  readonly tokens: TokenSource
  /** Null: the installation was removed. */
  readonly credentials: (installationId: string) => Promise<LarkCredentials | null>
}

export function createLarkCaller({ http, tokens, credentials }: LarkCallerOptions): LarkCaller {
  const clients = createLarkClients(http)

  /** Nothing has been offered to Lark yet, so any failure here is `not_sent`. */
  const prepare = async <T>(
    installation: InstallationRef,
    token: (found: LarkCredentials) => Promise<T>,
  ): Promise<{ readonly kind: 'prepared'; readonly found: LarkCredentials; readonly token: T } | Fault> => {
    try {
      const found = await credentials(installation.id)
      if (found === null) return { kind: 'installation_dead', remedy: 'reinstall', code: 'no_credentials' }
      return { kind: 'prepared', found, token: await token(found) }
    } catch {
      return { kind: 'not_sent', code: 'credentials_unavailable' }
    }
  }

  return {
    async call(installation, run) {
      const ready = await prepare<TokenResult>(installation, (found) => tokens.get(installation.id, found))
      if (ready.kind !== 'prepared') return ready
      const { found, token } = ready
      if (token.kind !== 'ready') return token
      try {
        const session = {
          im: clients.im(hostOf(found.baseUrl)),
          as: asTenant(token.value),
          appId: found.appId,
        }
        return { kind: 'ok', value: await run(session) }
      } catch (thrown) {
        const fault = classifyThrown(thrown)
        if (fault.kind === 'token') tokens.refused(installation.id, found, token.value)
        return fault
      }
    },

    async refreshToken(installation) {
      const ready = await prepare(installation, (found) => tokens.refresh(installation.id, found))
      if (ready.kind !== 'prepared') return ready
      return ready.token.kind === 'ready' ? { kind: 'refreshed' } : ready.token
    },
  }
}
