import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { directionOf, type Language, resolveAcceptLanguage, type Words } from '../locales.js'

/** One page of an install: a title, sentences, and one thing to do. */
export interface InstallPage {
  readonly title: string
  readonly lines: readonly string[]
  readonly action?: { readonly href: string; readonly label: string }
  /** A line for whoever helps. */
  readonly reference?: string
}

const STYLE = `
:root { color-scheme: light dark }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: Canvas;
  color: CanvasText; font: 17px/1.55 system-ui, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif }
main { width: 100%; max-width: 34rem; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem }
p { margin: 0 0 .75rem }
a { display: inline-block; margin: .5rem 0; padding: .6rem 1.1rem; border: 2px solid; border-radius: .5rem;
  color: inherit; font-weight: 600; text-decoration: none }
a:hover, a:focus-visible { text-decoration: underline }
a:focus-visible { outline: 3px solid Highlight; outline-offset: 3px }
small { opacity: .75 }`

/** Nothing is loaded from anywhere, nothing runs, and no other site may show the page in a frame. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The language of a reader: their browser's, else the one Lastword speaks by default. */
export function readerLanguage(request: IncomingMessage, words: Words, fallback: Language): Language {
  return resolveAcceptLanguage(request.headers['accept-language'], words.languages) ?? fallback
}

/** Writes a whole page. */
export function sendPage(
  response: ServerResponse,
  status: number,
  language: Language,
  page: InstallPage,
): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Language',
  })
  response.end(htmlOf(language, page))
}

function htmlOf(language: Language, page: InstallPage): string {
  const { action, reference } = page
  return [
    '<!doctype html>',
    `<html lang="${escaped(language)}" dir="${directionOf(language)}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(page.title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escaped(page.title)}</h1>`,
    ...page.lines.map((line) => `<p>${escaped(line)}</p>`),
    action === undefined ? '' : `<p><a href="${escaped(action.href)}">${escaped(action.label)}</a></p>`,
    reference === undefined ? '' : `<p><small>${escaped(reference)}</small></p>`,
    '</main></body></html>',
  ].join('\n')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
