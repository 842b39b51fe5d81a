import { type Html, html, raw } from './html.js'

export interface NavLink {
  readonly name: string
  readonly path: string
}

export interface PageView {
  readonly title: string
  /** What the conversation is, in one line. */
  readonly about: string
  readonly platform: 'slack' | 'lark'
  readonly path: string
  readonly nav: readonly NavLink[]
  /** Links that show the page to readers of another language. */
  readonly languages: readonly NavLink[]
  readonly content: Html
}

/** One whole page. The script swaps `main` when it changed; without scripts the browser reloads. */
export function page(view: PageView): string {
  const link = ({ name, path }: NavLink) =>
    html`<a href="${path}" class="${path === view.path ? 'here' : ''}">${name}</a>`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.title} – Lastword sandbox</title>
<link rel="stylesheet" href="/page.css"><script src="/page.js" defer></script>
<noscript><meta http-equiv="refresh" content="5"></noscript></head>
<body class="${view.platform}"><nav><strong>Lastword sandbox</strong>${view.nav.map(link)}</nav>
<div class="title"><h1>${view.title}</h1><p>${view.about}</p>${
    view.languages.length === 0
      ? null
      : html`<p class="languages">Reader's language: ${view.languages.map(link)}</p>`
  }</div>
<main>${view.content}</main></body></html>`.text
}

/** One message with who wrote it and when. `nested` messages are answers under the one before. */
export function messageRow(row: {
  readonly id: string
  readonly author: string
  readonly isBot: boolean
  readonly atMs: number
  readonly nested: boolean
  readonly notes: readonly string[]
  readonly body: Html
}): Html {
  const time = new Date(row.atMs).toISOString().slice(11, 19)
  const initial = [...row.author][0] ?? '?'
  const classes = [...(row.nested ? ['nested'] : []), row.isBot ? 'bot' : 'person'].join(' ')
  return html`<article class="${classes}" id="${row.id}">
<span class="avatar" aria-hidden="true">${initial}</span><div class="bubble">
<p class="who"><strong>${row.author}</strong>${row.isBot ? raw('<span class="app">APP</span>') : null} <time>${time} UTC</time>
${row.notes.map((note) => html`<span class="note">${note}</span>`)}</p>${row.body}</div></article>`
}

export const SCRIPT = `
let last = null
async function refresh() {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } })
    if (!response.ok) return
    const text = await response.text()
    if (text === last) return
    if (last !== null) {
      const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
      const atEnd = innerHeight + scrollY >= document.body.scrollHeight - 40
      if (next) document.querySelector('main').replaceWith(next)
      if (atEnd) scrollTo(0, document.body.scrollHeight)
    }
    last = text
  } catch {}
}
setInterval(() => { if (!document.hidden) refresh() }, 3000)
refresh()
`
