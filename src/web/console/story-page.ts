import type { PreviewPiece } from '../../render/preview.js'
import type { ConsoleStory } from '../../store/console-story.js'
import type { PartRow } from '../../store/delivery-list.js'
import { deliveryChip, partChip } from './chips.js'
import { decisionWords, reasonWords } from './decision.js'
import type { Format } from './format.js'
import { type Html, html, outsideLink } from './html.js'
import { installationPath } from './installations-page.js'
import { previewHtml } from './preview.js'
import { searchPath } from './search.js'
import { said } from './texts.js'
import { timelineOf } from './timeline.js'

export interface StoryView {
  readonly story: ConsoleStory
  /** What the reader saw of each part, by its index. */
  readonly previews: ReadonlyMap<number, readonly PreviewPiece[]>
  /** What this reader may do now. */
  readonly actions: readonly ('replay' | 'cancel')[]
  /** What was just done, if anything. */
  readonly done: string | null
}

/** One delivery: facts, what happened, and what the reader saw. */
export function storyPage(view: StoryView, format: Format): Html {
  const { story } = view
  const { texts } = format
  const again =
    story.attempt > 1
      ? html` <span class="soft small">${texts.story.attempt(format.count(story.attempt))}</span>`
      : null
  return html`<div class="head"><a class="back small" href="/console/deliveries">${texts.search.title}</a>
<h1>${texts.story.title(story.runId)}${again}</h1><p>${deliveryChip(story.state, texts)} ${
    story.reason === null ? null : html`<span class="soft">${reasonWords(story.reason, texts)}</span>`
  }</p></div>
${view.done === null ? null : html`<p class="notice good" role="status">${view.done}</p>`}
${actionRow(view, format)}
<div class="grid"><section class="panel"><h2>${texts.story.facts}</h2>${facts(story, format)}</section>
<section class="panel"><h2>${texts.story.timeline}</h2>${timeline(story, format)}</section></div>
${parts(view, format)}`
}

function actionRow({ story, actions }: StoryView, { texts }: Format): Html | null {
  if (actions.length === 0) return null
  const links = actions.map(
    (action) =>
      html`<a class="button ${action === 'cancel' ? 'danger' : ''}" href="/console/deliveries/${story.id}/${action}">${texts.story[action]}</a>`,
  )
  return html`<div class="row panel">${links}</div>`
}

function facts(story: ConsoleStory, format: Format): Html {
  const { texts } = format
  const words = texts.story
  const surface =
    story.surface === 'direct' || story.surface === 'channel' ? words.surfaces[story.surface] : null
  const outcome = [story.status, story.stopReason].filter((one) => one !== null).join(', ')
  const trigger = [story.trigger, story.requester].filter((one) => one !== null).join(', ')
  const locale =
    story.locale === null
      ? null
      : html`${story.locale}${story.localeFrom === null ? null : html` <span class="soft">${words.languageFrom(said(texts.localeSources, story.localeFrom) ?? story.localeFrom)}</span>`}`
  const number = (value: number) => (value === 0 ? null : html`${format.count(value)}`)
  return html`<dl class="facts">${[
    fact(words.delivery, html`<span class="id">${story.id}</span>`),
    fact(
      words.installation,
      html`<a href="${installationPath(story.installationId)}">${story.installationName ?? story.installationId}</a>`,
    ),
    fact(
      words.conversation,
      html`<span class="id">${story.conversationKey}</span><br><a class="small" href="${searchPath({ conversation: story.conversationKey })}">${words.sameConversation}</a>
 <a class="small" href="${searchPath({ run: story.runId })}">${words.sameRun}</a>`,
    ),
    fact(words.producer, story.producer === null ? null : html`${story.producer}`),
    fact(words.runPage, story.runUrl === null ? null : outsideLink(story.runUrl, html`${story.runUrl}`)),
    fact(words.outcome, outcome === '' ? null : html`${outcome}`),
    fact(words.trigger, trigger === '' ? null : html`${trigger}`),
    fact(words.surface, surface === null ? null : html`${surface}`),
    fact(words.language, locale),
    fact(texts.search.accepted, format.moment(Date.parse(story.acceptedAt))),
    fact(words.ended, story.settledAt === null ? null : format.moment(Date.parse(story.settledAt))),
    fact(words.deadline, format.moment(Date.parse(story.expiresAt))),
    fact(words.unknowns, number(story.unknownCount)),
    fact(words.masked, number(story.maskedSecrets)),
    fact(words.neutralised, number(story.neutralisedMentions)),
  ]}</dl>`
}

function fact(name: string, value: Html | null): Html {
  return value === null ? html`` : html`<dt>${name}</dt><dd>${value}</dd>`
}

function timeline(story: ConsoleStory, format: Format): Html {
  const words = format.texts.story
  const entries = timelineOf(story, format).map(
    ({ atMs, tone, what, details }) =>
      html`<li class="${tone}"><p class="what">${what}</p>${details.length === 0 ? null : html`<p>${details.join(' · ')}</p>`}<p class="when">${format.moment(atMs)}</p></li>`,
  )
  const now =
    story.settledAt === null
      ? html`<li class="warn"><p class="what">${words.waits(format.texts.states[story.state])}</p></li>`
      : null
  return html`${story.isJournalCut ? html`<p class="soft small">${words.cut}</p>` : null}<ol class="story">${entries}${now}</ol>`
}

function parts(view: StoryView, format: Format): Html {
  const words = format.texts.story
  const { story } = view
  if (story.parts.length === 0) {
    return html`<section class="panel"><h2>${words.preview}</h2><p class="empty">${words.noParts} ${decisionWords(story.decision, format.texts)}</p></section>`
  }
  const isSeen = story.parts.some((part) => part.sentAt !== null)
  return html`<section class="panel"><h2>${isSeen ? words.preview : words.previewPlanned}</h2><p class="soft small">${words.previewNote}</p>${story.parts.map(
    (part) => partHtml(part, view, format),
  )}</section>`
}

function partHtml(part: PartRow, { story, previews }: StoryView, format: Format): Html {
  const { texts } = format
  const words = texts.story
  const hasLink = story.platform === 'slack' && part.state === 'sent' && part.messageId !== null
  return html`<article class="part"><header><strong>${words.part(format.count(part.index + 1))}</strong>${partChip(part.state, texts)}
<span class="soft">${said(texts.rungs, part.rung) ?? part.rung}</span>${part.edits ? html`<span class="soft">${words.edits}</span>` : null}${
    part.messageId === null ? null : html`<span class="id">${part.messageId}</span>`
  }${hasLink ? html`<a href="/console/deliveries/${story.id}/parts/${part.index}/open">${words.open}</a>` : null}</header>
<div class="seen" lang="${story.locale ?? 'und'}" dir="auto" tabindex="0">${previewHtml(previews.get(part.index) ?? [], texts)}</div></article>`
}
