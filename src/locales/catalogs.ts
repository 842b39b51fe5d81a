import en from '../../locales/en.json' with { type: 'json' }
import zhHans from '../../locales/zh-Hans.json' with { type: 'json' }
import type { BuiltinLanguage } from './languages.js'
import type { Catalog } from './notices.js'

/** Texts of one language by catalog key; plural texts once a form (`repeated_one`). */
export type Texts = Readonly<Record<string, string>>

/** Our catalogs. Each is checked for completeness by the compiler, for everything else by tests. */
export const CATALOGS: { readonly [L in BuiltinLanguage]: Catalog<L> & Texts } = {
  en,
  'zh-Hans': zhHans,
}
