import { ASSETS } from './assets.js'
import type { Format } from './format.js'
import { type Html, html } from './html.js'
import { CONSOLE_LANGUAGES, textsOf } from './texts.js'

export type Section = 'overview' | 'deliveries' | 'installations'

/** What a page is made for: who reads it, and in which language. */
export interface Frame {
  readonly format: Format
  /** Name of the key's holder; null: nobody is signed in. */
  readonly viewerName: string | null
  /** What forms bring back. */
  readonly formToken: string
  /** The address of this page, with its query: where a change of language comes back to. */
  readonly here: string
}

export interface Page {
  readonly title: string
  /** Null: none of the sections. */
  readonly section: Section | null
  readonly content: Html
}

const PATHS: Readonly<Record<Section, string>> = {
  overview: '/console',
  deliveries: '/console/deliveries',
  installations: '/console/installations',
}

/** The hidden field that every form carries. */
export function tokenField(frame: Frame): Html {
  return html`<input type="hidden" name="token" value="${frame.formToken}">`
}

/** One whole page. */
export function pageHtml(frame: Frame, page: Page): string {
  const { texts, language } = frame.format
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${page.title} – ${texts.brand}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${ASSETS.style}"><script src="${ASSETS.script}" defer></script></head>
<body><a class="skip" href="#content">${texts.skip}</a>
<div class="bar"><div class="bar-in"><a class="brand" href="/console">${texts.brand}</a>
${frame.viewerName === null ? null : navigation(frame, page.section)}
<div class="who">${frame.viewerName === null ? null : html`<span class="soft small">${texts.signedInAs(frame.viewerName)}</span>`}${languages(frame)}${
    frame.viewerName === null ? null : signOut(frame)
  }</div></div></div>
<main id="content" tabindex="-1">${page.content}</main></body></html>`.text
}

function navigation({ format: { texts } }: Frame, section: Section | null): Html {
  const items = (['overview', 'deliveries', 'installations'] as const).map((name) =>
    name === section
      ? html`<a href="${PATHS[name]}" aria-current="page">${texts.nav[name]}</a>`
      : html`<a href="${PATHS[name]}">${texts.nav[name]}</a>`,
  )
  const toSearch =
    section === 'deliveries' ? null : html`<a hidden data-search href="${PATHS.deliveries}#run"></a>`
  return html`<nav aria-label="${texts.nav.label}">${items}${toSearch}</nav>`
}

/** One button for each other language, in that language's own name. */
function languages(frame: Frame): Html {
  const others = CONSOLE_LANGUAGES.filter((language) => language !== frame.format.language)
  return html`<form method="post" action="/console/language" aria-label="${frame.format.texts.switchTo}">${tokenField(frame)}<input type="hidden" name="back" value="${frame.here}">${others.map(
    (language) =>
      html`<button class="quiet" name="language" value="${language}" lang="${language}">${textsOf(language).language}</button>`,
  )}</form>`
}

function signOut(frame: Frame): Html {
  return html`<form method="post" action="/console/logout">${tokenField(frame)}<button class="quiet">${frame.format.texts.signOut}</button></form>`
}
