import type { Fault } from '../../deliver/platform.js'

type WithoutCode<F> = F extends Fault ? Omit<F, 'code' | 'vendorLogId' | 'retryAfterMs'> : never
/** What a code means for delivery; the wait and the log id come from the answer itself. */
export type Verdict = WithoutCode<Fault>

const limited = (scope: 'conversation' | 'method' | 'app'): Verdict => ({ kind: 'rate_limited', scope })
const installation = (remedy: 'reinstall' | 'admin' | 'quota'): Verdict => ({
  kind: 'installation_dead',
  remedy,
})
const anchor = (fallback: 'conversation' | 'plain_reply' | 'none'): Verdict => ({
  kind: 'anchor_dead',
  fallback,
})
const content: Verdict = { kind: 'content', final: false }
const moderated: Verdict = { kind: 'content', final: true }
const token: Verdict = { kind: 'token' }
const conversation: Verdict = { kind: 'conversation_dead' }
const inFlight: Verdict = { kind: 'in_flight' }
/** The platform failed on its side; it may have accepted the message. The same uuid makes asking again safe. */
const unknown: Verdict = { kind: 'unknown' }
const notSent: Verdict = { kind: 'not_sent' }
const bug: Verdict = { kind: 'bug' }

/**
 * Lark's error codes by what must happen next. A code that is missing here is `unknown`.
 *
 * Sources (open.feishu.cn/document): server-docs/im-v1/message/create (2025-08), .../message/reply (2026-04),
 * .../message-card/patch, server-docs/api-call-guide/generic-error-code and /frequency-control,
 * server-docs/authentication-management. "seen": reported in public, in no vendor page we read.
 */
export const LARK_CODES: Readonly<Record<string, Verdict>> = {
  // Rates. 99991400 is the gateway's, 230020 the chat's, the rest the message service's.
  '99991400': limited('app'),
  '230020': limited('conversation'),
  '11232': limited('method'),
  '11233': limited('method'),
  '11247': limited('method'),
  '1000004': limited('method'),
  '1000005': limited('method'),
  '190005': limited('method'),
  '232019': limited('method'),

  // The same uuid is being processed.
  '230049': inFlight,
  '18121': inFlight,

  // Server side.
  '1500': unknown,
  '2200': unknown, // seen
  '5000': unknown,
  '10101': unknown,
  '10500': unknown,
  '105001': unknown,
  '190003': unknown,
  '200810': unknown,
  '300120': unknown,

  // Access token: arrive with HTTP 200, 400 or 401.
  '99991661': token,
  '99991663': token,
  '99991664': token,
  '99991665': token,
  '99991668': token,
  '99991671': token,
  '99991677': token,
  '20005': token,

  // App secret and ticket.
  '10005': installation('admin'),
  '10014': installation('admin'),
  '10015': installation('admin'),
  '10016': installation('admin'),
  // The ticket of a store app is late or old: a new one is asked for, then the call is made again.
  '10012': notSent,
  '10013': notSent,

  // Somebody must change a setting.
  '99991401': installation('admin'), // IP allowlist
  '99991672': installation('admin'), // scope missing
  '99991676': installation('admin'),
  '230006': installation('admin'), // bot ability off
  '230027': installation('admin'),
  '232025': installation('admin'),
  '234007': installation('admin'),
  '1000040351': installation('admin'), // app of the other region: wrong host
  '99991403': installation('quota'), // monthly calls used up

  // The app is gone from the tenant.
  '99991662': installation('reinstall'),
  '99991673': installation('reinstall'),
  '11207': installation('reinstall'),
  '11210': installation('reinstall'),
  '20009': installation('reinstall'),
  '230036': installation('reinstall'),

  // The chat or person cannot be written to.
  '230002': conversation,
  '230013': conversation,
  '230015': conversation,
  '230018': conversation,
  '230029': conversation,
  '230034': conversation,
  '230035': conversation,
  '230038': conversation,
  '230053': conversation,
  '230075': conversation,
  '230111': conversation,
  '232006': conversation,
  '232009': conversation,
  '232010': conversation,
  '232011': conversation,
  '99992351': conversation, // open id of nobody
  '99992361': conversation, // open id of another app

  // The message to answer.
  '230011': anchor('conversation'), // recalled
  '230050': anchor('conversation'), // invisible to the bot
  '230110': anchor('conversation'), // deleted
  '231003': anchor('conversation'),
  '99992354': anchor('conversation'), // no such message id
  '230019': anchor('none'), // topic gone
  '230031': anchor('none'), // older than the 14 days in which it may be changed
  '230071': anchor('plain_reply'),
  '230072': anchor('plain_reply'),

  // Content.
  '230022': moderated,
  '230028': moderated,
  '230001': content,
  '230017': content,
  '230025': content,
  '230054': content,
  '230055': content,
  '230099': content,
  '234001': content,
  '234006': content, // file above 30 MB
  '234010': content, // empty file

  // Ours.
  '230012': bug, // editing somebody else's message
  '230026': bug, // recalling somebody else's message
  '231001': bug, // no such reaction
  '231007': bug, // removing somebody else's reaction
  '99992402': bug, // a field of the request itself
}
