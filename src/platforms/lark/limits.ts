/** One ceiling of Lark: what it publishes, what we allow ourselves, and where the number comes from. */
export interface Limit {
  /** Beyond this Lark refuses. */
  readonly max: number
  /** What a rendering of ours may use. Lark's own styling enlarges what it stores, so byte budgets keep room. */
  readonly budget: number
  readonly source: string
}

const MESSAGE_PAGE = 'open.feishu.cn/document/server-docs/im-v1/message/create (2025-08)'
const CARD_PAGE = 'open.feishu.cn/document/feishu-cards/card-json-v2-structure (2025-08)'
const RICH_TEXT_PAGE =
  'open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/rich-text (2025-08)'
const FILE_PAGE = 'open.feishu.cn/document/server-docs/im-v1/file/create (2025-08)'

/**
 * Every limit a rendering for Lark keeps. Bytes are UTF-8 of the `content` string as it stands in the request
 * body, that is after its second JSON escaping. Characters are UTF-16 units.
 */
export const LARK_LIMITS = {
  cardBytes: { max: 30_000, budget: 24_000, source: MESSAGE_PAGE },
  postBytes: { max: 30_000, budget: 24_000, source: MESSAGE_PAGE },
  textBytes: { max: 150_000, budget: 120_000, source: MESSAGE_PAGE },
  tablesPerCard: { max: 5, budget: 4, source: `${RICH_TEXT_PAGE}; 11310 was reported from 3 to 5 on` },
  elementsPerCard: { max: 200, budget: 100, source: CARD_PAGE },
  elementIdChars: { max: 20, budget: 20, source: CARD_PAGE },
  tableColumns: {
    max: 50,
    budget: 20,
    source: 'open.feishu.cn/document/feishu-cards/card-json-v2-components/content-components/table (2025-08)',
  },
  buttonTextChars: {
    max: 100,
    budget: 60,
    source:
      'open.feishu.cn/document/feishu-cards/card-json-v2-components/interactive-components/button (2025-08)',
  },
  fileBytes: { max: 30_000_000, budget: 30_000_000, source: FILE_PAGE },
  /** Ours: what the words of all languages together may add to a card. */
  wordsBytes: {
    max: 24_000,
    budget: 9_000,
    source: 'our own: the answer keeps the greater part of the card',
  },
  /** Ours: the same for an answer that has no line of ours but where it continues and which part it is. */
  footerBytes: { max: 24_000, budget: 3_000, source: 'our own: two short lines in every language' },
  /** Ours: the line shown in the chat list. */
  summaryChars: { max: 150, budget: 120, source: 'our own: clients show about one line' },
} as const satisfies Readonly<Record<string, Limit>>

/** Answers longer than this become a preview and a file without being split first. UTF-8 bytes; our own choice. */
export const FILE_DIRECT_BYTES = 1_000_000
