/** Languages with a catalog in `locales/`. */
export type Language = 'en' | 'zh-Hans'
export type NoticeKey = string
export type NoticeVars = Readonly<Record<string, string | number>>

/** Every text a person in a chat can see. Synchronous and without hidden state. */
export interface Words {
  readonly languages: readonly Language[]
  say(language: Language, key: NoticeKey, vars?: NoticeVars): string
}
