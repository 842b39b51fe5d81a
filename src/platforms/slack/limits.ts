/** One ceiling of Slack: what it publishes (or was seen to refuse), what we allow ourselves, and the source. */
export interface Limit {
  /** Beyond this Slack refuses or cuts. */
  readonly max: number
  /** What a rendering of ours may use. */
  readonly budget: number
  readonly source: string
}

const BLOCKS = 'docs.slack.dev/reference/block-kit/blocks'

/**
 * Every limit a rendering for Slack keeps. Whether Slack counts UTF-16 units or code points is not documented: we
 * count UTF-16 units, the larger. Checked 2026-08.
 */
export const SLACK_LIMITS = {
  /** Longer text is cut with the warning `message_truncated`; an edit above 4,000 is `msg_too_long`. */
  textChars: {
    max: 40_000,
    budget: 3_900,
    source: 'docs.slack.dev/changelog 2018-04 truncating-really-long-messages; methods/chat.update',
  },
  blocks: { max: 50, budget: 40, source: BLOCKS },
  sectionChars: { max: 3_000, budget: 2_900, source: `${BLOCKS}/section-block` },
  headerChars: { max: 150, budget: 150, source: `${BLOCKS}/header-block` },
  contextElements: { max: 10, budget: 2, source: `${BLOCKS}/context-block` },
  actionElements: { max: 25, budget: 5, source: `${BLOCKS}/actions-block` },
  buttonTextChars: {
    max: 75,
    budget: 75,
    source: 'docs.slack.dev/reference/block-kit/block-elements/button-element',
  },
  buttonValueChars: {
    max: 2_000,
    budget: 2_000,
    source: 'docs.slack.dev/reference/block-kit/block-elements/button-element',
  },
  /** All `markdown` blocks of one message together. */
  markdownChars: { max: 12_000, budget: 11_000, source: `${BLOCKS}/markdown-block` },
  /** All text of all blocks together: undocumented, `msg_blocks_too_long` was seen from 11,341 characters on. */
  messageChars: { max: 11_300, budget: 9_000, source: 'github.com/slackapi/bolt-js/issues/2509 and 2867' },
  /** Styled runs, links and line frames of one message. Ours: keeps a payload far from any size refusal. */
  elements: { max: 1_000, budget: 600, source: 'our own: no number is documented' },
  tables: { max: 1, budget: 1, source: `${BLOCKS}/table-block (only_one_table_allowed)` },
  tableRows: { max: 100, budget: 100, source: `${BLOCKS}/table-block` },
  tableColumns: { max: 20, budget: 20, source: `${BLOCKS}/table-block` },
  tableChars: { max: 10_000, budget: 8_000, source: `${BLOCKS}/table-block` },
  listIndent: { max: 8, budget: 8, source: `${BLOCKS}/rich-text-block` },
  linkChars: {
    max: 3_000,
    budget: 2_000,
    source: 'docs.slack.dev/reference/block-kit/block-elements/button-element (url)',
  },
  /** Notification and screen-reader line. */
  notificationChars: { max: 150, budget: 149, source: 'our own: what phones and watches show' },
} as const satisfies Readonly<Record<string, Limit>>

/** UTF-16 units of an answer above which it becomes a file without being planned into parts. Ours. */
export const FILE_ABOVE_CHARS = 1_000_000
