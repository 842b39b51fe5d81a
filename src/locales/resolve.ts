import { LANGUAGES, type Language } from './languages.js'

/** Longest tag looked at, in characters; real ones are under 40 (RFC 5646 section 4.4.1 asks for at least 35). */
const MAX_TAG_CHARS = 64

/** Tags that systems write and `Intl.Locale` refuses or reads as something else. Keys are lower case. */
const LEGACY_TAGS: ReadonlyMap<string, string> = new Map([
  // .NET and old Windows names of the two Chinese scripts.
  ['zh-chs', 'zh-Hans'],
  ['zh-cht', 'zh-Hant'],
  // RFC 5646 extended language forms, which Unicode locale identifiers no longer allow.
  ['zh-cmn', 'zh'],
  ['zh-cmn-hans', 'zh-Hans'],
  ['zh-cmn-hant', 'zh-Hant'],
  ['zh-cmn-hans-cn', 'zh-Hans-CN'],
  ['zh-cmn-hant-tw', 'zh-Hant-TW'],
  ['zh-yue', 'zh-Hant-HK'],
])

interface Wanted {
  readonly language: string
  readonly script: string | undefined
  readonly region: string | undefined
}

/**
 * Maps a language tag from anywhere (`zh_CN`, `ZH-CN.UTF-8`, `es-LA`, `iw`) to a language that has words, or null
 * when it is no tag or names a language without words. Script counts before region. Never throws.
 */
export function resolveLanguage(tag: unknown, languages: readonly Language[] = LANGUAGES): Language | null {
  const wanted = parseTag(tag)
  if (wanted === null) return null
  const candidates = languages.filter((language) => new Intl.Locale(language).language === wanted.language)
  return bestOf(candidates, wanted)
}

/** Whether a value is a language tag at all, known or not. Tells a strange value from a language we lack. */
export function isLanguageTag(tag: unknown): boolean {
  return parseTag(tag) !== null
}

/** The first language of an `Accept-Language` header (RFC 9110 section 12.5.4) that has words, by its weights. */
export function resolveAcceptLanguage(
  header: string | undefined,
  languages: readonly Language[] = LANGUAGES,
): Language | null {
  const ranges = (header ?? '').slice(0, 1000).split(',').map(parseRange)
  const byWeight = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  for (const { tag } of byWeight) {
    const language = resolveLanguage(tag, languages)
    if (language !== null) return language
  }
  return null
}

function parseRange(range: string): { readonly tag: string; readonly weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((piece) => piece.trim())
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return { tag, weight: Number.isFinite(weight) ? weight : 0 }
}

function parseTag(tag: unknown): Wanted | null {
  if (typeof tag !== 'string') return null
  // POSIX adds an encoding and a modifier: zh_CN.UTF-8, de_DE@euro.
  const plain = tag
    .trim()
    .slice(0, MAX_TAG_CHARS + 1)
    .replace(/[.@][\w.@=;-]*$/, '')
    .replaceAll('_', '-')
  if (plain.length > MAX_TAG_CHARS || !/^[a-z]{2,3}(-|$)/i.test(plain)) return null
  try {
    // Node 20 has no language for 'und', whatever its types say.
    const { language, script, region } = new Intl.Locale(LEGACY_TAGS.get(plain.toLowerCase()) ?? plain)
    if (language === undefined || language === 'und' || language === 'mul' || language === 'zxx') return null
    return language === 'yue'
      ? { language: 'zh', script: script ?? 'Hant', region }
      : { language, script, region }
  } catch {
    return null
  }
}

function bestOf(candidates: readonly Language[], wanted: Wanted): Language | null {
  const isChinese = wanted.language === 'zh'
  const script = scriptOf(wanted, isChinese)
  const sameScript = candidates.filter((candidate) => new Intl.Locale(candidate).maximize().script === script)
  // A reader of one Chinese script is not served the other; elsewhere the one catalog there is beats English.
  const pool = sameScript.length > 0 || isChinese ? sameScript : candidates
  const regionOf = (candidate: Language) => new Intl.Locale(candidate).region
  return (
    pool.find((candidate) => regionOf(candidate) === wanted.region) ??
    pool.find((candidate) => regionOf(candidate) === undefined) ??
    pool[0] ??
    null
  )
}

/** The script a tag says, else the one its region implies (CLDR likely subtags: zh-HK is Hant). */
function scriptOf({ language, script, region }: Wanted, isChinese: boolean): string | undefined {
  const said = isChinese && script !== 'Hans' && script !== 'Hant' ? undefined : script
  return said ?? new Intl.Locale(region === undefined ? language : `${language}-${region}`).maximize().script
}
