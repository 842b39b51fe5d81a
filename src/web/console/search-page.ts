import type { DeliveryRow } from '../../store/delivery-list.js'
import { DELIVERY_STATES } from '../../store/tables.js'
import { deliveryChip } from './chips.js'
import { decisionWords } from './decision.js'
import type { Format } from './format.js'
import { type Html, html } from './html.js'
import { isFiltered, type Search, searchPath } from './search.js'
import { said } from './texts.js'

export interface SearchResult {
  readonly rows: readonly DeliveryRow[]
  /** Where the next page begins, or null on the last one. */
  readonly next: number | null
}

/** The form, filled with what was searched for, and one page of results. Null result: the search was malformed. */
export function searchPage(search: Search, result: SearchResult | null, format: Format): Html {
  const words = format.texts.search
  return html`<div class="head"><h1>${words.title}</h1><p class="soft">${words.lead}</p></div>
<section class="panel" aria-label="${words.button}">${searchForm(search, format)}</section>
<section class="panel"><h2>${words.results}</h2>${
    result === null
      ? html`<p class="empty" role="alert">${words.tooLong}</p>`
      : results(search, result, format)
  }</section>`
}

function searchForm(search: Search, { texts }: Format): Html {
  const words = texts.search
  const text = (name: 'run' | 'conversation' | 'reason' | 'installation', isFirst = false) =>
    html`<div><label for="${name}">${words[name]}</label><input id="${name}" name="${name}" value="${search[name] ?? ''}" maxlength="300" autocomplete="off" spellcheck="false"${
      isFirst ? html` data-search aria-keyshortcuts="/"` : null
    }></div>`
  const states = DELIVERY_STATES.map(
    (state) =>
      html`<option value="${state}"${state === search.state ? html` selected` : null}>${texts.states[state]}</option>`,
  )
  return html`<form class="search" method="get" action="/console/deliveries">${text('run', true)}
<div><label for="state">${words.state}</label><select id="state" name="state"><option value="">${words.anyState}</option>${states}</select></div>
${text('reason')}${text('conversation')}${text('installation')}
<div class="row"><button class="first">${words.button}</button>${
    isFiltered(search) ? html`<a class="button" href="/console/deliveries">${words.clear}</a>` : null
  }</div></form>`
}

function results(search: Search, { rows, next }: SearchResult, format: Format): Html {
  const words = format.texts.search
  if (rows.length === 0) {
    const isEmpty = !isFiltered(search) && search.before === null
    return html`<p class="empty">${isEmpty ? words.nothingAtAll : words.nothing}</p>${pages(search, next, format)}`
  }
  return html`<div class="scroll"><table class="list cards"><thead><tr><th scope="col">${words.run}</th><th scope="col">${words.state}</th><th scope="col">${words.decision}</th>
<th scope="col">${words.installation}</th><th scope="col" class="number">${words.partsSent}</th><th scope="col">${words.accepted}</th></tr></thead><tbody>${rows.map(
    (row) => resultRow(row, format),
  )}</tbody></table></div>${pages(search, next, format)}`
}

function resultRow(row: DeliveryRow, format: Format): Html {
  const { texts } = format
  const words = texts.search
  const reason =
    row.reason === null
      ? null
      : html`<span class="small soft">${said(texts.reasons, row.reason) ?? ''} <code>${row.reason}</code></span>`
  const again =
    row.attempt > 1
      ? html`<span class="small soft">${texts.story.attempt(format.count(row.attempt))}</span>`
      : null
  return html`<tr><td class="main"><a href="/console/deliveries/${row.id}">${row.runId}</a>${again}</td><td data-label="${words.state}">${deliveryChip(row.state, texts)}${reason}</td>
<td data-label="${words.decision}">${decisionWords(row.decision, texts)}</td><td data-label="${words.installation}"><span class="id">${row.installationId}</span></td>
<td class="number" data-label="${words.partsSent}">${format.count(row.sentCount)}/${format.count(row.partCount)}</td><td data-label="${words.accepted}">${format.ago(Date.parse(row.acceptedAt))}</td></tr>`
}

function pages(search: Search, next: number | null, { texts }: Format): Html | null {
  const newest =
    search.before === null
      ? null
      : html`<a class="button" href="${searchPath({ ...search, before: null })}">${texts.search.newest}</a>`
  const older =
    next === null
      ? null
      : html`<a class="button" rel="next" href="${searchPath({ ...search, before: next })}">${texts.search.older}</a>`
  return newest === null && older === null ? null : html`<div class="row pages">${newest}${older}</div>`
}
