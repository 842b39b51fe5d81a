import type { Handler, LarkAnswer, OpenHandler, Session } from './call.js'
import { botInfo, findP2pChats, getChat, getUser, openP2pChat } from './chat.js'
import { editMessage, patchCard, recallMessage } from './edit.js'
import type { Pace } from './pace.js'
import { getMessage, listMessages } from './read.js'
import { addReaction, listReactions, removeReaction, uploadFile } from './resource.js'
import { type BeforeCommit, createHandler, replyHandler } from './send.js'
import { appToken, appTokenInternal, resendTicket, tenantToken, tenantTokenInternal } from './tokens.js'

/** One API of the platform. `scopes`: any one of them is enough; `whole`: needs none and answers without `data`. */
export type Route = {
  readonly name: string
  readonly method: string
  readonly pattern: readonly string[]
} & (
  | { readonly open: OpenHandler }
  | { readonly whole: (session: Session) => LarkAnswer }
  | { readonly handle: Handler; readonly scopes: readonly string[] }
)

interface RouteOptions {
  readonly pace: Pace
  readonly beforeCommit: BeforeCommit
  readonly onTicket: (appId: string, ticket: string) => void
}

const SEND = ['im:message', 'im:message:send_as_bot']
const READ = ['im:message', 'im:message:readonly']
const REACT = ['im:message', 'im:message.reactions:write_only']
const CHAT = ['im:chat', 'im:chat:readonly', 'im:chat:read']
const CONTACT = ['contact:contact.base:readonly', 'contact:user.base:readonly']

/** Every API this server has; all else is 404. */
export function routes(options: RouteOptions): readonly Route[] {
  return [...authRoutes(options), ...messageRoutes(options), ...otherRoutes()]
}

function authRoutes(options: RouteOptions): readonly Route[] {
  return [
    open('auth.tenant_access_token.internal', 'auth/v3/tenant_access_token/internal', tenantTokenInternal),
    open('auth.app_access_token.internal', 'auth/v3/app_access_token/internal', appTokenInternal),
    open('auth.app_access_token', 'auth/v3/app_access_token', appToken),
    open('auth.tenant_access_token', 'auth/v3/tenant_access_token', tenantToken),
    open('auth.app_ticket.resend', 'auth/v3/app_ticket/resend', resendTicket(options.onTicket)),
  ]
}

function messageRoutes(options: RouteOptions): readonly Route[] {
  return [
    api('im.message.create', 'POST', 'im/v1/messages', SEND, createHandler(options)),
    api('im.message.reply', 'POST', 'im/v1/messages/:message_id/reply', SEND, replyHandler(options)),
    api('im.message.list', 'GET', 'im/v1/messages', READ, listMessages),
    api('im.message.get', 'GET', 'im/v1/messages/:message_id', READ, getMessage),
    api('im.message.patch', 'PATCH', 'im/v1/messages/:message_id', [...SEND, 'im:message:update'], patchCard),
    api(
      'im.message.update',
      'PUT',
      'im/v1/messages/:message_id',
      [...SEND, 'im:message:update'],
      editMessage,
    ),
    api(
      'im.message.delete',
      'DELETE',
      'im/v1/messages/:message_id',
      [...SEND, 'im:message:recall'],
      recallMessage,
    ),
    api('im.messageReaction.create', 'POST', 'im/v1/messages/:message_id/reactions', REACT, addReaction),
    api(
      'im.messageReaction.list',
      'GET',
      'im/v1/messages/:message_id/reactions',
      [...READ, ...REACT],
      listReactions,
    ),
    api(
      'im.messageReaction.delete',
      'DELETE',
      'im/v1/messages/:message_id/reactions/:reaction_id',
      REACT,
      removeReaction,
    ),
  ]
}

function otherRoutes(): readonly Route[] {
  return [
    { name: 'bot.info', method: 'GET', pattern: 'bot/v3/info'.split('/'), whole: botInfo },
    api('im.file.create', 'POST', 'im/v1/files', ['im:resource', 'im:resource:upload'], uploadFile),
    api('im.chat.get', 'GET', 'im/v1/chats/:chat_id', CHAT, getChat),
    api('im.chatP2p.batchQuery', 'POST', 'im/v1/chat_p2p/batch_query', CHAT, findP2pChats),
    api('chat.p2p.id', 'POST', 'chat/v4/p2p/id', CHAT, openP2pChat),
    api('contact.user.get', 'GET', 'contact/v3/users/:user_id', CONTACT, getUser),
  ]
}

/** The route of a path below `/open-apis/`, with the values of its parameters. */
export function matchRoute(
  all: readonly Route[],
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | null {
  const segments = path
    .replace(/^\/open-apis\//, '')
    .split('/')
    .map(decoded)
  for (const route of all) {
    if (route.method !== method || route.pattern.length !== segments.length) continue
    const params: Record<string, string> = {}
    const fits = route.pattern.every((part, index) => {
      const segment = segments[index] ?? ''
      if (!part.startsWith(':')) return part === segment
      params[part.slice(1)] = segment
      return segment !== ''
    })
    if (fits) return { route, params }
  }
  return null
}

/** A broken escape stays as it is and then matches no id. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function open(name: string, path: string, handler: OpenHandler): Route {
  return { name, method: 'POST', pattern: path.split('/'), open: handler }
}

function api(name: string, method: string, path: string, scopes: readonly string[], handle: Handler): Route {
  return { name, method, pattern: path.split('/'), scopes, handle }
}
