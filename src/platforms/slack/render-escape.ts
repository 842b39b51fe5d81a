/**
 * Forms by which a text could address people, in the spellings Slack or a client of it could come to read: control
 * sequences (also behind a character reference) and broadcast words.
 * Source: docs.slack.dev/messaging/formatting-message-text "Mentioning users, groups and channels"
 */
const SEQUENCE =
  /(<|&lt;?|&#0{0,8}60;?|&#x0{0,8}3c;?)(?=!(?:channel|here|everyone|all|group|subteam|date)|@[UWBS]|#C[A-Z0-9])/gi
const BROADCAST = /([@＠])(?=(?:channel|here|everyone|all|group)(?![\p{L}\p{N}_]))/giu
const SUSPECT = /[@＠!#]/
/** Markdown without any of these holds no such form, not even behind a reference that Markdown decodes. */
const MAY_HOLD_MENTION = /[@＠<]|&(?:#|lt|[a-z]{2,31};)/i

/** U+2060 WORD JOINER: invisible, no break, and neither `<!` nor `@here` any more. */
const JOINER = '\u2060'

/** Text that can ping nobody wherever it stands. Looks the same; untouched unless it holds such a form. */
export function defused(text: string): string {
  if (!SUSPECT.test(text)) return text
  return text.replaceAll(SEQUENCE, `$1${JOINER}`).replaceAll(BROADCAST, `$1${JOINER}`)
}

/** Whether a Markdown source has to be looked through for such forms at all. */
export function mayHoldMention(markdown: string): boolean {
  return MAY_HOLD_MENTION.test(markdown)
}

/** How many such forms a text holds. */
export function countMentions(text: string): number {
  if (!SUSPECT.test(text)) return 0
  return (text.match(SEQUENCE)?.length ?? 0) + (text.match(BROADCAST)?.length ?? 0)
}

/** An address for a `url` field or a `<url|label>`: what could end it or start a control sequence is encoded. */
export function safeUrl(url: string): string {
  const encoded = url.replaceAll(/[<>|"`]/g, encodeURIComponent)
  return encoded.replaceAll(BROADCAST, (sign) => encodeURIComponent(sign))
}

/** Text for `mrkdwn` and for `text`. Source: docs.slack.dev/messaging/formatting-message-text "Escaping text" */
export function escapeMrkdwn(text: string): string {
  return defused(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
