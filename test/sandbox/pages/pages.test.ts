import { WebClient } from '@slack/web-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js'

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'>&lt;b&gt; javascript:alert(3)'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

async function shown(name: string, query = ''): Promise<string> {
  const found = sandbox.pages.find((page) => page.name === name)
  const response = await fetch(`${found?.url}${query}`)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await response.text()
  return text.slice(text.indexOf('<main>'))
}

/** Tags a page may have: ours. Anything else came through from a message. */
function foreignTags(markup: string): readonly string[] {
  const ours =
    /^<\/?(main|body|html|article|span|div|p|strong|em|del|u|time|a|code|pre|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|hr|br|h3|header|details|summary)(\s(class|dir|id|href|rel|start|aria-hidden|open)(="[^"]*")?)*>$/
  return (markup.match(/<[^>]*>/g) ?? []).filter((tag) => !ours.test(tag))
}

const text = (words: string) => ({ type: 'plain_text' as const, text: words })
const slackBlocks = [
  {
    type: 'markdown',
    text: `# ${HOSTILE}\n\n[x](javascript:alert(4)) ![y](https://example.com/y.png "z") \`${HOSTILE}\``,
  },
  { type: 'header', text: text(HOSTILE) },
  {
    type: 'section',
    text: { type: 'mrkdwn', text: `*bold* <javascript:alert(5)|bad> ${HOSTILE}` },
    fields: [text(HOSTILE)],
  },
  { type: 'divider' },
  { type: 'table', rows: [[{ type: 'raw_text', text: HOSTILE }], [{ type: 'raw_text', text: 'cell one' }]] },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: HOSTILE, style: { bold: true } },
          { type: 'link', url: 'javascript:alert(6)', text: 'rich link' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'list item' }] }],
      },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'preformatted' }] },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'quoted' }] },
    ],
  },
  { type: 'context', elements: [{ type: 'mrkdwn', text: `context _line_ ${HOSTILE}` }] },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'a', text: text(`Press ${HOSTILE}`), url: 'javascript:alert(7)' },
    ],
  },
  { type: HOSTILE },
]

test('the Slack page shows every kind of block and lets no markup through', async () => {
  const { apiUrl, botToken, directChannel } = sandbox.slack
  const client = new WebClient(botToken, { slackApiUrl: apiUrl })
  await client.apiCall('chat.postMessage', { channel: directChannel, text: 'fallback', blocks: slackBlocks })
  await client.filesUploadV2({ channel_id: directChannel, filename: 'a.md', title: HOSTILE, content: 'x' })
  const markup = await shown('Slack DM')
  expect(foreignTags(markup)).toEqual([])
  expect(markup).toContain('&lt;script&gt;alert(1)')
  expect(markup).not.toMatch(/href="javascript:/i)
  for (const words of [
    '<strong>bold</strong>',
    '<em>line</em>',
    '<td>cell one</td>',
    'list item',
    'preformatted',
    'quoted',
    'Press',
  ]) {
    expect(markup).toContain(words)
  }
})

test('a Slack thread shows under its parent, in the channel and on its own page', async () => {
  const { apiUrl, botToken, channel, thread } = sandbox.slack
  const client = new WebClient(botToken, { slackApiUrl: apiUrl })
  await client.chat.postMessage({ channel, thread_ts: thread, text: 'the *answer* <@U000000001> <!here>' })
  for (const name of ['Slack channel', 'Slack thread']) {
    const markup = await shown(name)
    expect(markup).toContain('<article class="nested bot"')
    expect(markup).toContain('<strong>answer</strong> <span class="mention">@Mei Lin</span>')
    expect(markup).toContain('<span class="mention loud">@here</span>')
  }
})

const larkMessages: readonly { readonly type: string; readonly content: object }[] = [
  { type: 'text', content: { text: `${HOSTILE} <at user_id="all"></at> [x](javascript:alert(8))` } },
  {
    type: 'post',
    content: {
      zh_cn: {
        title: HOSTILE,
        content: [
          [
            { tag: 'text', text: HOSTILE, style: ['bold'] },
            { tag: 'a', text: 'post link', href: 'javascript:alert(9)' },
          ],
          [{ tag: 'md', text: `**post md** ${HOSTILE}` }],
          [{ tag: 'code_block', language: HOSTILE, text: HOSTILE }],
        ],
      },
    },
  },
  {
    type: 'interactive',
    content: {
      schema: '2.0',
      header: {
        title: {
          tag: 'plain_text',
          content: HOSTILE,
          i18n_content: { zh_cn: '中文标题', en_us: 'English title' },
        },
        template: 'red',
      },
      body: {
        elements: [
          { tag: 'markdown', content: `**card md** ${HOSTILE} <at id=all></at>` },
          { tag: 'div', text: { tag: 'plain_text', content: HOSTILE } },
          { tag: 'button', text: { tag: 'plain_text', content: `Go ${HOSTILE}` } },
          { tag: 'table', columns: [{ name: 'a', display_name: HOSTILE }], rows: [{ a: HOSTILE }] },
          {
            tag: 'collapsible_panel',
            header: { title: { tag: 'plain_text', content: 'more' } },
            elements: [{ tag: 'markdown', content: 'folded' }],
          },
        ],
      },
    },
  },
]

/** The JSON of an answer, as text to look into. */
async function larkCall(path: string, init: RequestInit): Promise<string> {
  const response = await fetch(`${sandbox.lark.baseUrl}/open-apis/${path}`, { method: 'POST', ...init })
  return response.text()
}

const field = (json: string, name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(json)?.[1] ?? ''

test('the Lark page shows texts, posts, cards and files, lets no markup through and speaks the reader’s language', async () => {
  const { appId, appSecret, anchors } = sandbox.lark
  const credentials = JSON.stringify({ app_id: appId, app_secret: appSecret })
  const granted = await larkCall('auth/v3/tenant_access_token/internal', { body: credentials })
  const headers = { authorization: `Bearer ${field(granted, 'tenant_access_token')}` }
  const form = new FormData()
  form.set('file_type', 'stream')
  form.set('file_name', `${HOSTILE}.md`)
  form.set('file', new Blob(['x']))
  const fileKey = field(await larkCall('im/v1/files', { headers, body: form }), 'file_key')
  for (const { type, content } of [...larkMessages, { type: 'file', content: { file_key: fileKey } }]) {
    const body = JSON.stringify({ msg_type: type, content: JSON.stringify(content) })
    expect(await larkCall(`im/v1/messages/${anchors.direct}/reply`, { headers, body })).toContain('"code":0')
  }
  const markup = await shown('Lark direct')
  expect(foreignTags(markup)).toEqual([])
  expect(markup).toContain('&lt;script&gt;alert(1)')
  expect(markup).not.toMatch(/href="javascript:/i)
  for (const words of [
    '中文标题',
    '<strong>post md</strong>',
    '<strong>card md</strong>',
    '@all',
    'folded',
    '.md</strong>',
    '<details open>',
  ]) {
    expect(markup).toContain(words)
  }
  expect(await shown('Lark direct', '?language=de_de')).toContain('English title')
})

test('an address nobody has is 404, and a hostile one is not repeated', async () => {
  const base = new URL(sandbox.pages[0]?.url ?? '').origin
  const response = await fetch(`${base}/lark/${encodeURIComponent(HOSTILE)}`)
  expect(response.status).toBe(404)
  expect(await response.text()).toBe('Not found')
})

test('a hostile language is only a language nobody has', async () => {
  expect(foreignTags(await shown('Lark group', `?language=${encodeURIComponent('"><script>')}`))).toEqual([])
})
