import type { Cause } from '../contract/decision.js'
import type { RunStatus } from '../contract/outcome.js'
import type { BuiltinLanguage, PLURAL_CATEGORIES } from './languages.js'

type NoVars = Readonly<Record<string, never>>
type App = { readonly app: string }

/** Every text that takes variables, with them. Names are shown as given, numbers through `Intl`. */
interface VarsByKey {
  'header.retry_in': { readonly seconds: number }
  repeated: { readonly count: number }
  'part.counter': { readonly part: number; readonly total: number }
  'file.continues': { readonly bytes: number }
  'install.slack.title': App
  'install.slack.intro': App
  'install.success.title': App & { readonly workspace: string }
  'install.success.updated': App & { readonly workspace: string }
  'install.success.org': App & { readonly organization: string }
  'install.failure.title': App
  'install.reference': { readonly code: string }
  'install.lark.title': App & { readonly platform: string }
  'install.lark.intro': { readonly platform: string }
  'install.lark.step_approve': { readonly platform: string }
  'install.lark.connected': App & { readonly tenant: string }
  'doctor.test': App
  'doctor.not_member': App
  'doctor.reinstall': App
  'doctor.missing_permission': App & { readonly permission: string }
}

const BUTTONS = ['continue', 'retry', 'good', 'bad'] as const
type ButtonName = (typeof BUTTONS)[number]

export const INSTALL_FAILURES = [
  'cancelled',
  'expired',
  'code',
  'not_allowed',
  'org_installed',
  'email',
  'configuration',
  'unavailable',
  'unknown',
] as const
/** Why an installation did not happen, as far as a person can be told. */
export type InstallFailure = (typeof INSTALL_FAILURES)[number]

/** A text without variables. */
export type PlainKey =
  | 'notice.no_response'
  | 'notice.aborted'
  | 'notice.content_refused'
  | `header.cause.${Cause}`
  | `header.status.${Exclude<RunStatus, 'completed'>}`
  | 'file.title'
  | 'file.too_long'
  | 'may_be_repeated'
  | 'upgrade.follows'
  | 'link.run'
  | `button.${ButtonName}`
  | `button.done.${ButtonName}`
  | 'button.expired'
  | 'button.not_yours'
  | 'button.failed'
  | 'install.slack.admin'
  | 'install.slack.button'
  | 'install.success.body'
  | 'install.success.open'
  | `install.failure.${InstallFailure}`
  | 'install.retry'
  | 'install.lark.step_range'
  | 'install.lark.step_chat'
  | 'install.lark.waiting'

type VarKey = keyof VarsByKey
/** Texts whose wording depends on `count`; a catalog has one entry a plural form (`repeated_one`). */
export type PluralKey = 'repeated'

/** Every text a person in a chat or on an install page can see. */
export type NoticeKey = PlainKey | VarKey
/** The variables of a text. Without an argument: of any text. */
export type NoticeVars<K extends NoticeKey = NoticeKey> = K extends VarKey ? VarsByKey[K] : NoVars

/** A text with exactly its variables: a line that can be said in any language later. */
export type NoticeLine =
  | { readonly key: PlainKey; readonly vars: NoVars }
  | { readonly [K in VarKey]: { readonly key: K; readonly vars: VarsByKey[K] } }[VarKey]

/** What `locales/<language>.json` must hold. A missing text does not compile. */
export type Catalog<L extends BuiltinLanguage> = { readonly _note: string } & {
  readonly [K in Exclude<NoticeKey, PluralKey>]: string
} & { readonly [K in `${PluralKey}_${(typeof PLURAL_CATEGORIES)[L][number]}`]: string }
