import { isObject, type JsonObject } from './json.js'
import { cardRefusal } from './refusal.js'

/** The 16 languages a card or post may carry (platform notes 4.4). */
export const LARK_LOCALES = new Set(
  'en_us zh_cn zh_hk zh_tw ja_jp id_id vi_vn th_th pt_br es_es ko_kr de_de fr_fr it_it ru_ru ms_my'.split(
    ' ',
  ),
)

/** What is counted over a whole card, and who may be mentioned in it. */
export interface CardCheck {
  components: number
  tables: number
  readonly elementIds: Set<string>
  readonly isUser: (openId: string) => boolean
}

/** A `plain_text` or `lark_md` object. */
export function checkTaggedText(text: unknown, path: string): void {
  if (!isObject(text)) throw cardRefusal(200621, `not a text object, path: ${path}`)
  if (text.tag !== 'plain_text' && text.tag !== 'lark_md') {
    throw cardRefusal(200861, `unsupported tag ${String(text.tag)}, path: ${path}`)
  }
  checkText(text, path)
}

/** `content` and, beside it, the same in other languages (4.4). */
export function checkText(text: unknown, path: string): void {
  if (!isObject(text) || typeof text.content !== 'string') throw cardRefusal(200621, `content, path: ${path}`)
  const { i18n_content: translations } = text
  if (translations === undefined) return
  if (!isObject(translations)) throw cardRefusal(200621, `i18n_content, path: ${path}`)
  for (const [locale, value] of Object.entries(translations)) {
    const isGood = LARK_LOCALES.has(locale) && typeof value === 'string'
    if (!isGood) throw cardRefusal(200621, `i18n_content ${locale}, path: ${path}`)
  }
}

/** @throws {LarkRefusal} 230099 / 200861 at the first property the component does not have */
export function onlyKeys(object: JsonObject, allowed: ReadonlySet<string>, path: string): void {
  for (const key of Object.keys(object)) {
    if (!allowed.has(key)) throw cardRefusal(200861, `unknown property, property: ${key}, path: ${path}`)
  }
}
