/**
 * The shapes of Block Kit that we send, as Slack's reference has them (docs.slack.dev/reference/block-kit). Type
 * aliases and not interfaces, so that they are JSON objects to the compiler.
 */
export type PlainText = { readonly type: 'plain_text'; readonly text: string; readonly emoji: false }

export type TextStyle = {
  readonly bold?: true
  readonly italic?: true
  readonly strike?: true
  readonly code?: true
}

export type RichInline =
  | { readonly type: 'text'; readonly text: string; readonly style?: TextStyle }
  | { readonly type: 'link'; readonly url: string; readonly text: string; readonly style?: TextStyle }
  | { readonly type: 'user'; readonly user_id: string }
  | { readonly type: 'usergroup'; readonly usergroup_id: string }
  | { readonly type: 'channel'; readonly channel_id: string }

export type RichSection = { readonly type: 'rich_text_section'; readonly elements: readonly RichInline[] }

export type RichElement =
  | RichSection
  | { readonly type: 'rich_text_quote'; readonly elements: readonly RichInline[] }
  | { readonly type: 'rich_text_preformatted'; readonly elements: readonly RichInline[] }
  | {
      readonly type: 'rich_text_list'
      readonly style: 'bullet' | 'ordered'
      readonly indent: number
      readonly offset?: number
      /** The bar of a quote. Source: docs.slack.dev/tools/node-slack-sdk/reference/types/interfaces/RichTextBorderable */
      readonly border?: 1
      readonly elements: readonly RichSection[]
    }

export type RichTextBlock = { readonly type: 'rich_text'; readonly elements: readonly RichElement[] }

export type TableCell = { readonly type: 'raw_text'; readonly text: string } | RichTextBlock

export type ColumnSetting = { readonly align: 'left' | 'center' | 'right'; readonly is_wrapped: boolean }

export type SlackButton = {
  readonly type: 'button'
  readonly action_id: string
  readonly text: PlainText
  readonly value: string
}

export type SlackBlock =
  | RichTextBlock
  | { readonly type: 'markdown'; readonly text: string }
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'divider' }
  | { readonly type: 'context'; readonly elements: readonly (PlainText | MrkdwnText)[] }
  | { readonly type: 'section'; readonly text: MrkdwnText }
  | { readonly type: 'actions'; readonly elements: readonly SlackButton[] }
  | {
      readonly type: 'table'
      readonly rows: readonly (readonly TableCell[])[]
      readonly column_settings: readonly ColumnSetting[]
    }

/** `verbatim`: Slack reads our escapes and nothing else (no bare addresses, no names). */
export type MrkdwnText = { readonly type: 'mrkdwn'; readonly text: string; readonly verbatim: true }

/** What goes into `chat.postMessage` besides the address and the marker. */
export type SlackContent = {
  readonly text: string
  readonly blocks?: readonly SlackBlock[]
  readonly unfurl_links: false
  readonly unfurl_media: false
}
