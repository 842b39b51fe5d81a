import { describe, expect, it } from 'vitest'
import { CAUSES } from '../../src/contract/decision.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import {
  CATALOGS,
  checkTexts,
  createWords,
  directionOf,
  LANGUAGES,
  type Language,
  MAX_TEXT_CHARS,
  NOTICE_KEYS,
  placeOf,
  pluralCategoriesOf,
  SAMPLE_VALUES,
  type Texts,
} from '../../src/locales.js'

const words = createWords()

/** Names that are written the same everywhere. */
const PROPER_NAMES = /\b(?:Slack|AI)\b/g

/** Catalog entries without the note, variables taken out. */
function textsOf(language: (typeof LANGUAGES)[number]): readonly (readonly [string, string])[] {
  const texts: Texts = CATALOGS[language]
  return Object.entries(texts).filter(([key]) => key !== '_note')
}

const bare = (text: string): string => text.replaceAll(/\{\{.*?\}\}/g, ' ').replaceAll(PROPER_NAMES, ' ')

function expectNone(found: readonly unknown[]): void {
  expect(found).toEqual([])
}

describe.each(LANGUAGES)('the catalog of %s', (language) => {
  it('has every text with the right variables and plural forms, within the limits of its place', () => {
    expectNone(checkTexts(language, CATALOGS[language], true))
  })

  it('opens with a note for the native speaker who reviews it', () => {
    const [first] = Object.keys(CATALOGS[language])
    expect(first).toBe('_note')
    expect(CATALOGS[language]._note.length).toBeGreaterThan(50)
  })

  it('has the plural forms that the running Node asks for', () => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    expect([...pluralCategoriesOf(language)].sort()).toEqual([...needed].sort())
  })

  it('says every text without a raw key, an open variable or a stray space', () => {
    const said = NOTICE_KEYS.map((key) => [key, words.say(language, key, SAMPLE_VALUES)] as const)
    expectNone(
      said.filter(
        ([key, text]) => text === key || /\{\{|\}\}|undefined|\[object| {2}|\$t\(|^\s|\s$/.test(text),
      ),
    )
    expectNone(said.filter(([key, text]) => text.length > MAX_TEXT_CHARS[placeOf(key)]))
  })

  it('has a header line of its own for every cause and status', () => {
    const causes = CAUSES.map((cause) => words.say(language, `header.cause.${cause}`))
    expect(new Set(causes).size).toBe(CAUSES.length)
    for (const status of RUN_STATUSES) {
      if (status !== 'completed')
        expect(words.say(language, `header.status.${status}`)).not.toMatch(/header|\n/)
    }
  })

  it('ends its sentences as the English ones end', () => {
    const english: Texts = CATALOGS.en
    const ends = language === 'th' ? /[^.。]$/ : /[.。]$/
    expectNone(textsOf(language).filter(([key, text]) => english[key]?.endsWith('.') && !ends.test(text)))
    expectNone(
      textsOf(language).filter(([key, text]) => english[key]?.endsWith('.') === false && /[.。]$/.test(text)),
    )
  })

  it('never shouts', () => {
    expectNone(textsOf(language).filter(([, text]) => /[!！]/.test(text)))
  })
})

/** What a text in each script may be made of, besides variables, proper names, spaces and digits. */
const SCRIPTS: readonly (readonly [(typeof LANGUAGES)[number], RegExp])[] = [
  ['zh-Hans', /^[\p{Script=Han}\s，。：（）]*$/u],
  ['zh-Hant', /^[\p{Script=Han}\s，。：（）「」]*$/u],
  ['ja', /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\s\d、。：（）]*$/u],
  ['ko', /^[\p{Script=Hangul}\s.,:()]*$/u],
  ['ru', /^[\p{Script=Cyrillic}\s.,:()—]*$/u],
  ['th', /^[\p{Script=Thai}\s:()]*$/u],
  ['ar', /^[\p{Script=Arabic}\p{M}ـ\s.،:()]*$/u],
  ['he', /^[\p{Script=Hebrew}\s.,:()-]*$/u],
]

/** Characters that only one of the two scripts uses: traditional, simplified. */
const CHINESE_PAIRS = (
  '這这 個个 為为 說说 請请 從从 訊讯 務务 發发 問问 題题 與与 開开 關关 頻频 權权 覽览 檔档 無无 繼继 續续 輸输 錯错 誤误 時时 間间 ' +
  '應应 現现 沒没 讀读 連连 結结 裝装 組组 織织 內内 話话 則则 顯显 試试 務务 達达 處处 頁页 過过 選选 擇择 機机 會会 將将 還还 請请 謝谢 員员'
)
  .split(' ')
  .map((pair) => [pair.charAt(0), pair.charAt(1)] as const)

describe('nothing is left in English, or in a neighbour', () => {
  it.each(SCRIPTS)('%s uses its own script and its own punctuation', (language, allowed) => {
    expectNone(textsOf(language).filter(([, text]) => !allowed.test(bare(text))))
  })

  const ENGLISH_WORDS =
    /(?<!\p{L})(?:the|is|was|are|to|of|this|that|please|you|your|again|try|answer|and|with|not|has|request|later)(?!\p{L})/iu
  it.each(LANGUAGES.filter((language) => language !== 'en'))('%s has no English words', (language) => {
    expectNone(textsOf(language).filter(([, text]) => ENGLISH_WORDS.test(bare(text))))
  })

  it.each(LANGUAGES.filter((language) => language !== 'en'))(
    '%s has no text that equals the English one',
    (language) => {
      const english: Texts = CATALOGS.en
      expectNone(textsOf(language).filter(([key, text]) => text === english[key]))
    },
  )

  it('keeps the two Chinese scripts apart', () => {
    const expectScript = (language: 'zh-Hans' | 'zh-Hant', others: readonly string[]) =>
      expectNone(textsOf(language).filter(([, text]) => others.some((character) => text.includes(character))))
    expectScript(
      'zh-Hans',
      CHINESE_PAIRS.map(([traditional]) => traditional),
    )
    expectScript(
      'zh-Hant',
      CHINESE_PAIRS.map(([, simplified]) => simplified),
    )
  })

  it('uses the words of each region', () => {
    expectNone(
      textsOf('zh-Hant').filter(([, text]) => /信息|软件|軟件|網絡|文件|鏈接|鼠標|登錄|默認/.test(text)),
    )
    expectNone(
      textsOf('pt-BR').filter(([, text]) => /\b(?:ficheiro|utilizador|ecrã|equipa|tu|teu)\b/i.test(text)),
    )
    expectNone(
      textsOf('id').filter(([, text]) => /\b(?:ejen|perkhidmatan|sila|baharu|pentadbir)\b/i.test(text)),
    )
    expectNone(textsOf('ms').filter(([, text]) => /\b(?:agen|layanan|silakan|baru|unduh)\b/i.test(text)))
  })
})

/** One way to address the reader, all the way through. Each pattern is the other way. */
const OTHER_TONE: readonly (readonly [Language, RegExp])[] = [
  ['zh-Hans', /您/],
  ['zh-Hant', /您/],
  ['ja', /あなた|だ。|である。/],
  ['ko', /당신|어요\.|해요\./],
  ['de', /\b(?:Sie|Ihre?[nmrs]?|Ihnen)\b/],
  ['fr', /\b(?:tu|ton|ta|tes|toi)\b/i],
  ['es', /\busted(?:es)?\b|\bvosotros\b/i],
  ['it', /\b(?:Lei|Suo|Sua|voi)\b/],
  ['ru', /(?:^|[^\p{L}])(?:ты|тебе|твой|Вы|Вам|Ваш)(?:$|[^\p{L}])/u],
  ['id', /\b(?:kamu|kalian)\b/i],
  ['th', /ครับ|ค่ะ|คะ/],
]

describe('tone', () => {
  it.each(OTHER_TONE)('%s addresses the reader in one way', (language, other) => {
    const known = LANGUAGES.filter((builtin) => builtin === language)
    expectNone(known.flatMap(textsOf).filter(([, text]) => other.test(text)))
  })
})

describe('direction', () => {
  const RTL = LANGUAGES.filter((language) => directionOf(language) === 'rtl')

  it.each(RTL)(
    '%s starts every text with a letter of its own or a name we isolate, so that chats lay it out right',
    (language) => {
      expectNone(
        textsOf(language).filter(([, text]) => !/^(?:\{\{|[\p{Script=Arabic}\p{Script=Hebrew}])/u.test(text)),
      )
    },
  )

  it.each(LANGUAGES)('%s carries no invisible direction marks of its own', (language) => {
    expectNone(textsOf(language).filter(([, text]) => /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(text)))
  })

  it('uses Arabic commas and question marks in Arabic', () => {
    expectNone(textsOf('ar').filter(([, text]) => /[,;?]/.test(bare(text))))
  })
})
