import ar from '../../locales/ar.json' with { type: 'json' }
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import es from '../../locales/es.json' with { type: 'json' }
import fr from '../../locales/fr.json' with { type: 'json' }
import he from '../../locales/he.json' with { type: 'json' }
import id from '../../locales/id.json' with { type: 'json' }
import it from '../../locales/it.json' with { type: 'json' }
import ja from '../../locales/ja.json' with { type: 'json' }
import ko from '../../locales/ko.json' with { type: 'json' }
import ms from '../../locales/ms.json' with { type: 'json' }
import ptBR from '../../locales/pt-BR.json' with { type: 'json' }
import ru from '../../locales/ru.json' with { type: 'json' }
import th from '../../locales/th.json' with { type: 'json' }
import vi from '../../locales/vi.json' with { type: 'json' }
import zhHans from '../../locales/zh-Hans.json' with { type: 'json' }
import zhHant from '../../locales/zh-Hant.json' with { type: 'json' }
import type { BuiltinLanguage } from './languages.js'
import type { Catalog } from './notices.js'

/** Texts of one language by catalog key; plural texts once a form (`repeated_one`). */
export type Texts = Readonly<Record<string, string>>

/** Our catalogs. Each is checked for completeness by the compiler, for everything else by tests. */
export const CATALOGS: { readonly [L in BuiltinLanguage]: Catalog<L> & Texts } = {
  en,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  ja,
  ko,
  de,
  fr,
  es,
  'pt-BR': ptBR,
  it,
  ru,
  id,
  vi,
  th,
  ms,
  ar,
  he,
}
