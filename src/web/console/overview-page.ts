import {
  type AcceptedCount,
  type EndGroup,
  type Overview,
  SAMPLE_LIMIT,
} from '../../store/console-overview.js'
import { DELIVERY_STATES } from '../../store/tables.js'
import { deliveryChip, installationChip } from './chips.js'
import { decisionWords } from './decision.js'
import type { Format } from './format.js'
import { type Html, html } from './html.js'
import { installationPath } from './installations-page.js'
import { searchPath } from './search.js'
import { said } from './texts.js'

/** Ages of the oldest undelivered from which it is marked: longer than most waits platforms ask for. */
const LATE_MS = 120_000
const VERY_LATE_MS = 900_000

/** How things stand, worst first. */
export function overviewPage(overview: Overview, format: Format, nowMs: number): Html {
  const { texts } = format
  return html`<div class="head"><h1>${texts.overview.title}</h1><p class="soft">${texts.overview.lead}</p></div>
${figures(overview, format, nowMs)}
${ends(overview, format)}
<div class="grid">${gates(overview, format)}${inactive(overview, format)}</div>`
}

function figures(overview: Overview, format: Format, nowMs: number): Html {
  const words = format.texts.overview
  const accepted = ({ count, precision }: AcceptedCount): string =>
    precision === 'about'
      ? words.about(format.count(count))
      : `${format.count(count)}${precision === 'more' ? '+' : ''}`
  const workers = overview.aliveWorkers === 0 ? words.noWorker : format.count(overview.aliveWorkers)
  return html`<dl class="figures">${(['slack', 'lark'] as const).map((platform) => {
    const oldest = overview.oldest.find((one) => one.platform === platform)
    const name = words.oldest(platform === 'slack' ? 'Slack' : 'Lark')
    if (oldest === undefined) return figure(name, html`<span class="soft">${words.nothingWaits}</span>`, '')
    const ageMs = nowMs - oldest.acceptedAtMs
    const tone = ageMs >= VERY_LATE_MS ? 'bad' : ageMs >= LATE_MS ? 'warn' : ''
    const age = html`<a href="/console/deliveries/${oldest.deliveryId}">${format.age(oldest.acceptedAtMs)}</a>`
    return figure(name, age, tone)
  })}${figure(words.acceptedHour, html`${accepted(overview.acceptedHour)}`, '')}${figure(
    words.acceptedDay,
    html`${accepted(overview.acceptedDay)}`,
    '',
  )}${figure(words.workers, html`${workers}`, overview.aliveWorkers === 0 ? 'bad' : '')}</dl>`
}

function figure(name: string, value: Html, tone: string): Html {
  return html`<div class="figure ${tone}"><dt>${name}</dt><dd>${value}</dd></div>`
}

function ends({ ends: { groups, sinceMs, isSample } }: Overview, format: Format): Html {
  const words = format.texts.overview
  if (groups.length === 0 || sinceMs === null) {
    return html`<section class="panel"><h2>${words.ends}</h2><p class="empty">${words.endsNone}</p></section>`
  }
  const about = isSample
    ? words.endsSample(format.count(SAMPLE_LIMIT), format.relative(sinceMs))
    : words.endsDay
  const countName = isSample ? words.sample : words.day
  return html`<section class="panel"><h2>${words.ends}</h2><p class="soft small">${about}</p>
<div class="scroll"><table class="list cards"><thead><tr><th scope="col">${words.end}</th><th scope="col">${words.shown}</th><th scope="col">${words.why}</th>
<th scope="col" class="number">${words.hour}</th><th scope="col" class="number">${countName}</th></tr></thead><tbody>${groups.map(
    (group) => endRow(group, countName, format),
  )}</tbody></table></div></section>`
}

function endRow(group: EndGroup, countName: string, format: Format): Html {
  const { texts } = format
  const words = texts.overview
  const state = DELIVERY_STATES.find((one) => group.kind === `delivery.${one}`)
  const code = group.reason ?? group.why
  const found = state === undefined ? null : searchPath({ state, reason: group.reason })
  const label = state === undefined ? html`${group.kind}` : deliveryChip(state, texts)
  return html`<tr><td class="main">${found === null ? label : html`<a href="${found}">${label}</a>`}</td>
<td data-label="${words.shown}">${decisionWords(group.decision, texts)}</td><td data-label="${words.why}">${
    code === null ? '–' : html`${said(texts.reasons, code) ?? ''} <code>${code}</code>`
  }</td><td class="number" data-label="${words.hour}">${format.count(group.hourCount)}</td><td class="number" data-label="${countName}">${format.count(group.dayCount)}</td></tr>`
}

function gates({ gates: closed }: Overview, format: Format): Html {
  const words = format.texts.overview
  const rows = closed.map(
    (gate) =>
      html`<tr><td class="main"><a href="${installationPath(gate.installationId)}" class="id">${gate.scope}</a></td><td data-label="${words.code}"><code>${gate.code}</code></td>
<td data-label="${words.opens}">${format.ago(gate.notBeforeMs)}</td></tr>`,
  )
  return html`<section class="panel"><h2>${words.gates}</h2>${
    rows.length === 0
      ? html`<p class="empty">${words.gatesNone}</p>`
      : html`<div class="scroll"><table class="list cards"><thead><tr><th scope="col">${words.gate}</th><th scope="col">${words.code}</th><th scope="col">${words.opens}</th></tr></thead><tbody>${rows}</tbody></table></div>`
  }</section>`
}

function inactive({ inactive: found }: Overview, format: Format): Html {
  const { texts } = format
  const words = texts.overview
  const rows = found.map(
    (one) =>
      html`<tr><td class="main"><a href="${installationPath(one.id)}">${one.name ?? one.id}</a></td><td data-label="${words.state}">${installationChip(one.state, texts)}</td>
<td data-label="${words.code}"><code>${one.stateCode ?? '–'}</code></td><td data-label="${words.since}">${format.ago(one.stateAtMs)}</td></tr>`,
  )
  return html`<section class="panel"><h2>${words.inactive}</h2>${
    rows.length === 0
      ? html`<p class="empty">${words.inactiveNone}</p>`
      : html`<div class="scroll"><table class="list cards"><thead><tr><th scope="col">${words.installation}</th><th scope="col">${words.state}</th><th scope="col">${words.code}</th><th scope="col">${words.since}</th></tr></thead><tbody>${rows}</tbody></table></div>`
  }</section>`
}
