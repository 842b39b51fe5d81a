import { type InstallationHealth, WAITING_LIMIT } from '../../store/installation-health.js'
import type { InstallationState } from '../../store/tables.js'
import { installationChip } from './chips.js'
import type { Format } from './format.js'
import { type Html, html } from './html.js'
import { searchPath } from './search.js'

/** Installations on one page. */
export const INSTALLATIONS_PER_PAGE = 50

const STATES = ['active', 'parked', 'removed'] as const

export function installationPath(id: string): string {
  return `/console/installations/${encodeURIComponent(id)}`
}

export interface InstallationList {
  readonly rows: readonly InstallationHealth[]
  readonly state: InstallationState | null
  readonly afterId: string | null
  /** The last id of this page when there are more. */
  readonly nextAfterId: string | null
}

/** One page of installations, by their ids. */
export function installationsPage(list: InstallationList, format: Format): Html {
  const { texts } = format
  const words = texts.installations
  const states = [null, ...STATES].map((state) => {
    const label = state === null ? words.all : texts.installationStates[state]
    return html`<a class="button" href="${listPath(state, null)}"${state === list.state ? html` aria-current="true"` : null}>${label}</a>`
  })
  const rows = list.rows.map((row) => installationRow(row, format))
  const none = list.state === null && list.afterId === null ? words.none : words.noneMatches
  return html`<div class="head"><h1>${words.title}</h1><p class="soft">${words.lead}</p></div>
<nav class="row panel" aria-label="${words.filter}">${states}</nav><section class="panel">${
    rows.length === 0
      ? html`<p class="empty">${none}</p>`
      : html`<div class="scroll"><table class="list cards"><thead><tr><th scope="col">${texts.overview.installation}</th><th scope="col">${texts.overview.state}</th><th scope="col">${texts.overview.since}</th>
<th scope="col" class="number">${words.waiting}</th><th scope="col">${words.token}</th></tr></thead><tbody>${rows}</tbody></table></div>`
  }${pages(list, format)}</section>`
}

function installationRow(row: InstallationHealth, format: Format): Html {
  const { texts } = format
  const words = texts.installations
  const code = row.stateCode === null ? null : html`<span class="small"><code>${row.stateCode}</code></span>`
  return html`<tr><td class="main"><a href="${installationPath(row.id)}">${row.name ?? row.id}</a>${row.name === null ? null : html`<span class="small soft id">${row.id}</span>`}</td>
<td data-label="${texts.overview.state}">${installationChip(row.state, texts)}${code}</td><td data-label="${texts.overview.since}">${format.ago(row.stateAtMs)}</td>
<td class="number" data-label="${words.waiting}">${format.upTo(row.waitingCount, WAITING_LIMIT)}</td><td data-label="${words.token}">${token(row, format)}</td></tr>`
}

function token(row: InstallationHealth, format: Format): Html {
  const words = format.texts.installations
  const end =
    row.tokenExpiresAtMs === null
      ? html`<span class="soft">${words.tokenForever}</span>`
      : format.ago(row.tokenExpiresAtMs)
  return row.refreshCode === null
    ? end
    : html`${end} <span class="small chip bad">${words.refreshFailed(row.refreshCode)}</span>`
}

function pages({ state, afterId, nextAfterId }: InstallationList, { texts }: Format): Html | null {
  const words = texts.installations
  if (afterId === null && nextAfterId === null) return null
  return html`<div class="row pages">${afterId === null ? null : html`<a class="button" href="${listPath(state, null)}">${words.first}</a>`}${
    nextAfterId === null
      ? null
      : html`<a class="button" rel="next" href="${listPath(state, nextAfterId)}">${words.next}</a>`
  }</div>`
}

function listPath(state: InstallationState | null, afterId: string | null): string {
  const query = new URLSearchParams()
  if (state !== null) query.set('state', state)
  if (afterId !== null) query.set('after', afterId)
  const text = query.toString()
  return text === '' ? '/console/installations' : `/console/installations?${text}`
}

/** One installation with its health, and the way back for one that is parked. */
export function installationPage(
  row: InstallationHealth,
  options: { readonly mayResume: boolean; readonly done: string | null },
  format: Format,
): Html {
  const { texts } = format
  const words = texts.installations
  const action =
    row.state === 'parked' && options.mayResume
      ? html`<a class="button" href="${installationPath(row.id)}/resume">${words.resume}</a>`
      : null
  return html`<div class="head"><a class="back small" href="/console/installations">${words.title}</a><h1>${row.name ?? row.id}</h1><p>${installationChip(row.state, texts)} ${
    row.stateCode === null ? null : html`<code>${row.stateCode}</code>`
  } <span class="soft">${texts.overview.since} ${format.ago(row.stateAtMs)}</span></p></div>
${options.done === null ? null : html`<p class="notice good" role="status">${options.done}</p>`}
${row.state === 'removed' ? html`<p class="notice">${words.reinstall}</p>` : null}
<div class="row panel">${action}<a class="button" href="${searchPath({ installation: row.id })}">${words.deliveries}</a></div>
<section class="panel"><h2>${texts.story.facts}</h2>${healthFacts(row, format)}</section>`
}

function healthFacts(row: InstallationHealth, format: Format): Html {
  const words = format.texts.installations
  const oldest =
    row.oldestWaitingAtMs === null
      ? null
      : html` <span class="soft">${words.waitingOldest(format.relative(row.oldestWaitingAtMs))}</span>`
  const facts: readonly (readonly [string, Html | null])[] = [
    [words.platform, html`${row.platform === 'slack' ? 'Slack' : 'Lark'}`],
    [
      words.tenant,
      html`<span class="id">${row.tenant}</span>${row.isOrgWide ? html` <span class="soft">${words.orgWide}</span>` : null}`,
    ],
    [words.app, row.app === '' ? null : html`<span class="id">${row.app}</span>`],
    [words.source, html`${words.sources[row.source]}`],
    [words.installed, format.moment(row.installedAtMs)],
    [words.waiting, html`${format.upTo(row.waitingCount, WAITING_LIMIT)}${oldest}`],
    [words.token, token(row, format)],
    [words.refreshed, row.refreshedAtMs === null ? null : format.moment(row.refreshedAtMs)],
    [words.language, row.locale === null ? null : html`${row.locale}`],
    [words.scopes, row.scopes.length === 0 ? null : html`<span class="id">${row.scopes.join(', ')}</span>`],
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => (value === null ? html`` : html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>`
}
