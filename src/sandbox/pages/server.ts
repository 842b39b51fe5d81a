import { createServer, type ServerResponse } from 'node:http'
import type { LarkSandbox } from '../lark-tenant.js'
import { closeServer, listenOnLoopback } from '../loopback.js'
import type { SlackSandbox } from '../slack.js'
import { html } from './html.js'
import { larkPage, larkViews } from './lark-page.js'
import { type NavLink, page, SCRIPT } from './layout.js'
import { slackPage, slackViews } from './slack-page.js'
import { STYLE } from './style.js'

interface PagesOptions {
  readonly slack: SlackSandbox
  readonly lark: LarkSandbox
  readonly port: number
}

export interface Pages {
  readonly pages: readonly { readonly name: string; readonly url: string }[]
  close(): Promise<void>
}

/** Nothing may run or load but our two files: messages are written by agents and strangers. */
const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'"

/** Serves the pages where a person sees what arrived. Read-only, loopback only. */
export async function startPages({ slack, lark, port }: PagesOptions): Promise<Pages> {
  const views = [...slackViews(slack), ...larkViews(lark)]
  const nav: readonly NavLink[] = views.map(({ name, path }) => ({ name, path }))
  const respond = async (url: URL, response: ServerResponse): Promise<void> => {
    if (url.pathname === '/page.css') return send(response, 200, 'text/css', STYLE)
    if (url.pathname === '/page.js') return send(response, 200, 'text/javascript', SCRIPT)
    if (url.pathname === '/') return send(response, 200, 'text/html', page(start(nav)))
    const view = views.find(({ path }) => path === url.pathname)
    if (view === undefined) return send(response, 404, 'text/plain', 'Not found')
    const shown =
      view.platform === 'slack'
        ? await slackPage(slack, view, nav)
        : larkPage(lark, view, nav, url.searchParams.get('language') ?? 'zh_cn')
    return send(response, 200, 'text/html', page(shown))
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    respond(url, response).catch(() => send(response, 500, 'text/plain', 'The sandbox could not be read'))
  })
  const chosen = await listenOnLoopback(server, port)
  return {
    pages: nav.map(({ name, path }) => ({ name, url: `http://127.0.0.1:${chosen}${path}` })),
    close: () => closeServer(server),
  }
}

function start(nav: readonly NavLink[]) {
  const items = nav.map(({ name, path }) => html`<li><a href="${path}">${name}</a></li>`)
  return {
    title: 'Conversations',
    about: 'Every conversation of the sandbox; messages appear by themselves.',
    platform: 'slack',
    path: '/',
    nav,
    languages: [],
    content: html`<ul>${items}</ul>`,
  } as const
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response
    .writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .end(body)
}
