import { CATALOGS } from './catalogs.js'
import type { NoticeKey } from './notices.js'

/** Where a text is shown decides how long it may be. */
export type TextPlace = 'button' | 'line' | 'page'

/**
 * Most UTF-16 units a text may take in its place, variables filled in.
 * button: Slack button text, https://docs.slack.dev/reference/block-kit/block-elements/button-element;
 * line: Slack header block, https://docs.slack.dev/reference/block-kit/blocks/header-block (both checked 2026-11-30);
 * page: our own choice, so that an install page or a hint stays a sentence or two.
 */
export const MAX_TEXT_CHARS = { button: 75, line: 150, page: 300 } as const satisfies Record<
  TextPlace,
  number
>

const BUTTON_KEYS: ReadonlySet<string> = new Set([
  'link.run',
  'button.continue',
  'button.retry',
  'button.good',
  'button.bad',
  'install.slack.button',
  'install.success.open',
  'install.retry',
])

export function placeOf(key: NoticeKey): TextPlace {
  if (BUTTON_KEYS.has(key)) return 'button'
  return key.startsWith('install.') || key.startsWith('doctor.') ? 'page' : 'line'
}

/** A value for every variable there is, for previews and length checks. */
export const SAMPLE_VALUES = {
  app: 'Lastword',
  workspace: 'Acme Design',
  organization: 'Acme Group',
  tenant: 'Acme Design',
  platform: 'Lark',
  permission: 'channels:history',
  code: 'R-4711',
  seconds: 120,
  count: 3,
  part: 2,
  total: 5,
  bytes: 1_234_567,
} as const

const PLURAL_SUFFIX = /_(?:zero|one|two|few|many|other)$/

/** The text a catalog key belongs to: `repeated_few` to `repeated`. Null when there is no such text. */
export function noticeKeyOf(catalogKey: string): NoticeKey | null {
  const stem = catalogKey.replace(PLURAL_SUFFIX, '')
  if (isNoticeKey(stem) && isPlural(stem)) return stem
  return isNoticeKey(catalogKey) ? catalogKey : null
}

/** Whether a text has one catalog entry a plural form. */
export function isPlural(key: NoticeKey): boolean {
  return Object.hasOwn(CATALOGS.en, `${key}_other`)
}

function isNoticeKey(key: string): key is NoticeKey {
  if (Object.hasOwn(CATALOGS.en, `${key}_other`)) return true
  return key !== '_note' && Object.hasOwn(CATALOGS.en, key)
}

/** Every text there is, in the order of the English catalog. */
export const NOTICE_KEYS: readonly NoticeKey[] = [
  ...new Set(Object.keys(CATALOGS.en).flatMap((key) => noticeKeyOf(key) ?? [])),
]
