import type { Language } from '../../locales.js'

/**
 * Lark's keys for the languages of a card; a reader whose client is set to another language sees English.
 * Source: open.feishu.cn/document/feishu-cards/configure-multi-language-content (2025-08)
 */
export const LARK_LOCALES = [
  'en_us',
  'zh_cn',
  'zh_hk',
  'zh_tw',
  'ja_jp',
  'id_id',
  'vi_vn',
  'th_th',
  'pt_br',
  'es_es',
  'ko_kr',
  'de_de',
  'fr_fr',
  'it_it',
  'ru_ru',
  'ms_my',
] as const
export type LarkLocale = (typeof LARK_LOCALES)[number]

/** Languages whose Lark key is not found by the language alone. */
const BY_TAG: Readonly<Record<string, readonly LarkLocale[]>> = {
  'zh-Hans': ['zh_cn'],
  'zh-Hant': ['zh_tw', 'zh_hk'],
}

/** Lark's keys for one of our languages: two for traditional Chinese, none for Arabic or Hebrew. */
export function larkLocales(language: Language): readonly LarkLocale[] {
  const tag: string = language
  const known = BY_TAG[tag]
  if (known !== undefined) return known
  const primary = tag.split('-')[0]
  return LARK_LOCALES.filter((locale) => locale.split('_')[0] === primary && primary !== 'zh')
}
