import { escapeHtml } from './markdown-html.js'

const STYLE = `
body { margin: 12px; background: #e9ebee; font: 14px/1.5 "Noto Sans", "Noto Sans CJK SC", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Color Emoji", "Open Sans", sans-serif; }
h6.title { margin: 0 0 8px; font-size: 14px; }
.columns { display: flex; gap: 16px; align-items: flex-start; }
.columns > section { flex: 1; min-width: 0; }
.part { margin-bottom: 10px; overflow-wrap: anywhere; }
.notification { font-size: 11px; color: #777; border-left: 3px solid #bbb; padding-left: 6px; margin-bottom: 2px; white-space: pre-wrap; }
.slack, .lark { background: #fff; border-radius: 8px; padding: 10px 14px; }
.lark { border: 1px solid #d0d3d6; padding: 0; overflow: hidden; }
.lark .body { padding: 10px 14px; }
.lark.text, .lark.post { padding: 10px 14px; white-space: pre-wrap; }
.lark.post { white-space: normal; }
.head { padding: 8px 14px; font-weight: 600; background: #e0e9ff; }
.head.red { background: #fde2e2; } .head.orange { background: #feead2; } .head.grey { background: #eff0f1; } .head.yellow { background: #faf1d1; }
p { margin: 4px 0; } ul, ol { margin: 4px 0; padding-inline-start: 24px; } li > p { margin: 0; } li > p:first-child { display: inline; }
h1 { font-size: 20px; margin: 8px 0 4px; } h2 { font-size: 18px; margin: 8px 0 4px; } h3 { font-size: 16px; margin: 6px 0 4px; }
h4, h5, h6 { font-size: 14px; margin: 6px 0 4px; }
code { background: #f0f1f3; color: #c0355a; border: 1px solid #dde; border-radius: 3px; padding: 0 3px; font-family: "Noto Sans Mono", monospace; font-size: 12px; }
pre { background: #f6f6f8; border: 1px solid #dde; border-radius: 4px; padding: 6px 8px; white-space: pre-wrap; font: 12px/1.45 "Noto Sans Mono", "Noto Sans Mono CJK SC", monospace; margin: 4px 0; }
.lark pre { white-space: pre; overflow-x: hidden; }
pre[data-lang]:not([data-lang=""])::before { content: attr(data-lang); display: block; color: #888; font-size: 10px; }
blockquote { border-inline-start: 3px solid #bbb; margin: 4px 0; padding-inline-start: 8px; color: #555; }
table { border-collapse: collapse; margin: 4px 0; display: block; overflow-x: auto; overflow-wrap: normal; } td, th { border: 1px solid #ccd; padding: 2px 8px; vertical-align: top; } th { background: #f3f4f6; }
a { color: #1264a3; text-decoration: underline; }
.at { color: #1264a3; background: #e8f1fb; } .raw { background: #ff9; } .broken { background: #fbb; }
.context, .notation { font-size: 12px; color: #666; } .bar { border-inline-start: 3px solid #bbb; }
button { border: 1px solid #bbb; border-radius: 4px; background: #fff; padding: 3px 10px; margin-top: 6px; }
.file { background: #fff; border: 1px solid #bbb; border-radius: 8px; padding: 8px 14px; }
`

/** A row of the contact sheet: one document as both clients show it. */
export interface Exhibit {
  readonly name: string
  readonly slack: readonly string[]
  readonly lark: readonly string[]
}

export function pageHtml(exhibits: readonly Exhibit[]): string {
  const column = (title: string, parts: readonly string[]) =>
    `<section><h6 class="title">${title}, ${parts.length} part(s)</h6>${parts.map((part) => `<div class="part">${part}</div>`).join('')}</section>`
  const rows = exhibits.map(
    ({ name, slack, lark }) =>
      `<h6 class="title">${escapeHtml(name)}</h6><div class="columns">${column('Slack', slack)}${column('Lark', lark)}</div>`,
  )
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>${rows.join('<hr>')}`
}
