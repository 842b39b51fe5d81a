/**
 * The tree both platforms render from: the part of mdast that chat messages need, with the same names, and one
 * node of ours (`mention`). There is no `html`, `definition` or `linkReference`: HTML is text and references are
 * resolved when the Markdown is parsed. Strings are safe (see `safety.ts`), addresses are allowed ones (`urls.ts`).
 */
export interface Root {
  readonly type: 'root'
  readonly children: readonly Block[]
}

export type Block = Paragraph | Heading | Blockquote | List | Code | Table | ThematicBreak

export interface Paragraph {
  readonly type: 'paragraph'
  readonly children: readonly Inline[]
}

export interface Heading {
  readonly type: 'heading'
  /** 1 to 6. */
  readonly depth: number
  readonly children: readonly Inline[]
}

export interface Blockquote {
  readonly type: 'blockquote'
  readonly children: readonly Block[]
}

export interface List {
  readonly type: 'list'
  readonly ordered: boolean
  /** Number of the first item; 1 for a bullet list. */
  readonly start: number
  /** Loose: blank lines between items. */
  readonly spread: boolean
  readonly children: readonly ListItem[]
}

export interface ListItem {
  readonly type: 'listItem'
  /** Task lists: ticked or not. Null for other items. */
  readonly checked: boolean | null
  readonly children: readonly Block[]
}

export interface Code {
  readonly type: 'code'
  /** First word of the info string, or null. */
  readonly lang: string | null
  readonly value: string
}

export type Align = 'left' | 'right' | 'center' | null

/** The first row is the header. Every row has as many cells as the header. */
export interface Table {
  readonly type: 'table'
  readonly align: readonly Align[]
  readonly children: readonly TableRow[]
}

export interface TableRow {
  readonly type: 'tableRow'
  readonly children: readonly TableCell[]
}

export interface TableCell {
  readonly type: 'tableCell'
  readonly children: readonly Inline[]
}

export interface ThematicBreak {
  readonly type: 'thematicBreak'
}

export type Inline =
  | Text
  | Emphasis
  | Strong
  | Delete
  | InlineCode
  | Break
  | Link
  | Image
  | FootnoteReference
  | Mention

export interface Text {
  readonly type: 'text'
  /** A line break of the source stays a `\n`. */
  readonly value: string
}

export interface Emphasis {
  readonly type: 'emphasis'
  readonly children: readonly Inline[]
}

export interface Strong {
  readonly type: 'strong'
  readonly children: readonly Inline[]
}

export interface Delete {
  readonly type: 'delete'
  readonly children: readonly Inline[]
}

export interface InlineCode {
  readonly type: 'inlineCode'
  readonly value: string
}

export interface Break {
  readonly type: 'break'
}

/** `url` has an allowed scheme and no white space or control characters; never empty. */
export interface Link {
  readonly type: 'link'
  readonly url: string
  readonly children: readonly Inline[]
}

/** Shown as a link to `url` labelled `alt`; `alt` is never empty. */
export interface Image {
  readonly type: 'image'
  readonly url: string
  readonly alt: string
}

/** `[^label]`, in the text and in front of the note itself. */
export interface FootnoteReference {
  readonly type: 'footnoteReference'
  readonly label: string
}

/**
 * Something a platform would read as a reference to people or a channel, as the agent wrote it. Shown as text
 * unless the platform's renderer finds it allowed; `raw` is the source text, `name` what a reader would see.
 */
export interface Mention {
  readonly type: 'mention'
  readonly kind: 'person' | 'group' | 'channel' | 'everyone'
  /** Slack or Lark id; empty for `everyone`. */
  readonly id: string
  readonly name: string
  readonly raw: string
}
