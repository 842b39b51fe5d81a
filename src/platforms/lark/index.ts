import type { Dispatcher } from 'undici'
import type { Platform } from '../../deliver/platform.js'
import { anchorOfLark } from './address.js'
import { createLarkCaller } from './client-call.js'
import { createLarkHttp } from './client-http.js'
import { describeChat, openDirectWith, removeReaction } from './conversations.js'
import type { LarkCredentials } from './credentials.js'
import { editMessage, removeMessage } from './edit.js'
import { findPart } from './find.js'
import { renderLark } from './render.js'
import { markRepeatLark } from './render-mark.js'
import { simplifyLark } from './render-simplify.js'
import { requestFor, sendPart } from './send.js'
import { createTokenSource } from './token-source.js'

export type { LarkCredentials } from './credentials.js'

/**
 * Lark remembers a `uuid` for one hour (open.feishu.cn, server-docs/im-v1/message/create, 2025-08); five minutes are
 * left for the call itself and for clocks that differ.
 */
const SAME_KEY_WINDOW_MS = 55 * 60_000
const DEFAULT_TIMEOUT_MS = 20_000

export interface LarkPlatformOptions {
  /**
   * What an installation speaks with, or null when it was removed.
   *
   * @throws anything when that cannot be had now; its calls are then `not_sent`
   */
  readonly credentials: (installationId: string) => Promise<LarkCredentials | null>
  /** The newest ticket pushed to a store app. Internal apps need none. */
  readonly appTicket?: ((appId: string) => Promise<string | null>) | undefined
  /** Of one call, in milliseconds. 20 000 by default. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds since the Unix epoch. */
  readonly now?: (() => number) | undefined
  /** Another way out of this host, such as a proxy. */
  readonly dispatcher?: Dispatcher | undefined
}

export interface LarkPlatform extends Platform {
  /** Cuts idle connections, and calls still in flight. */
  close(): Promise<void>
}

/** Lark and Feishu behind the platform interface. Makes no call until it is asked for one, and none in between. */
export function createLarkPlatform(options: LarkPlatformOptions): LarkPlatform {
  const http = createLarkHttp({
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    dispatcher: options.dispatcher,
  })
  const tokens = createTokenSource({
    http,
    appTicket: options.appTicket ?? (async () => null),
    now: options.now ?? Date.now,
  })
  const caller = createLarkCaller({ http, tokens, credentials: options.credentials })
  return {
    name: 'lark',
    render: renderLark,
    simplify: simplifyLark,
    markRepeat: markRepeatLark,
    toRequest: requestFor,
    anchorOf(conversation) {
      return conversation.platform === 'lark' ? anchorOfLark(conversation) : { anchor: null, inTopic: false }
    },
    sameKeyWindowMs: SAME_KEY_WINDOW_MS,
    send: (target, part, marker) => sendPart(caller, target, part, marker),
    find: (target, _marker, window) => findPart(caller, target, window),
    edit: (target, messageId, part) => editMessage(caller, target, messageId, part),
    remove: (target, messageId) => removeMessage(caller, target, messageId),
    describe: (installation, _tenant, conversationId) => describeChat(caller, installation, conversationId),
    openDirect: (_installation, _tenant, personId) => openDirectWith(personId),
    // Lark tells nobody a person's language; its cards carry every language instead.
    personLocale: async () => null,
    permalink: async () => null,
    async clearAcknowledgement({ installation }, { reaction }) {
      return reaction === null ? null : removeReaction(caller, installation, reaction)
    },
    refreshToken: (installation) => caller.refreshToken(installation),
    close: () => http.close(),
  }
}
