/** What an id of a platform looks like. `expected` completes the sentence "expected ...". */
export interface IdShape {
  readonly pattern: RegExp
  readonly expected: string
}

const slack = (letters: string, what: string): IdShape => ({
  pattern: new RegExp(`^[${letters}][A-Z0-9]{1,30}$`),
  expected: what,
})
const lark = (prefix: string, what: string): IdShape => ({
  pattern: new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,125}$`),
  expected: `${what}: ${prefix}_ and 1-125 letters, digits, _ or -`,
})

/**
 * Ids of the places that answers go to. Slack promises a leading letter and upper-case letters and digits, and has
 * lengthened ids before; of Lark's, what follows the prefix is opaque. So these are generous: they catch a name, an
 * address or another kind of id, and nothing that could leave a request's path passes. Sources:
 * docs.slack.dev/reference/objects, docs.slack.dev/messaging (ts); open.feishu.cn, server-docs/im-v1/message (2026-04).
 */
export const PLACE_IDS = {
  slack: {
    workspace: slack('TE', 'a Slack team id (T...) or enterprise id (E...)'),
    channel: slack('CDG', 'a Slack conversation id (C..., D... or G...), not a name'),
    user: slack('UW', 'a Slack user id (U... or W...), not a name'),
    thread: {
      pattern: /^\d{1,12}\.\d{1,6}$/,
      expected: "a message's ts as a string, like 1732960000.000100",
    },
  },
  lark: {
    tenant: {
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      expected: 'a Lark tenant key: 1-64 letters, digits, _ or -',
    },
    chat: lark('oc', 'a Lark chat id'),
    person: lark('ou', 'a Lark open id'),
    message: lark('om', 'a Lark message id'),
    topic: lark('omt', 'a Lark topic id'),
  },
} as const satisfies Readonly<Record<'slack' | 'lark', Readonly<Record<string, IdShape>>>>
