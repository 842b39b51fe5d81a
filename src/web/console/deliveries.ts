import type { Request, Router } from 'express'
import { LastwordError } from '../../errors.js'
import type { Producer } from '../../intake/producer.js'
import { previewLark } from '../../platforms/lark/render-preview.js'
import { previewSlack } from '../../platforms/slack/render-preview.js'
import type { PreviewPiece } from '../../render/preview.js'
import type { ConsoleStory } from '../../store/console-story.js'
import type { DeliveryState } from '../../store/tables.js'
import { mustHave } from '../auth.js'
import type { ConsoleDoors } from './doors.js'
import { EVERYTHING, PAGE_SIZE, parseSearch, type Search } from './search.js'
import { type SearchResult, searchPage } from './search-page.js'
import { confirmPage } from './small-pages.js'
import { storyPage } from './story-page.js'
import { doneWords, sendPage, signedVisit } from './visit.js'

const ACTIONS = ['replay', 'cancel'] as const
type Action = (typeof ACTIONS)[number]

/** Ends that an operator may take back: what was given up. */
const REPLAYABLE: ReadonlySet<DeliveryState> = new Set(['dead', 'expired'])

/** Search, one delivery's story, and what can be done about it. */
export function addDeliveries(router: Router, doors: ConsoleDoors): void {
  router.get('/deliveries', async (request, response) => {
    const { frame, viewer } = signedVisit(response)
    const search = parseSearch(request.query)
    const result = search === null ? null : await find(doors, search, viewer)
    const content = searchPage(search ?? EVERYTHING, result, frame.format)
    const { title } = frame.format.texts.search
    sendPage(response, { title, section: 'deliveries', content }, result === null ? 400 : 200)
  })

  router.get('/deliveries/:id', async (request, response) => {
    const { frame, viewer } = signedVisit(response)
    const story = await visibleStory(doors, request, viewer)
    const { texts } = frame.format
    const done = doneWords(request, frame.format.texts)
    const content = storyPage(
      { story, previews: previewsOf(story), actions: actionsFor(story, viewer), done },
      frame.format,
    )
    sendPage(response, { title: texts.story.title(story.runId), section: 'deliveries', content })
  })

  router.get('/deliveries/:id/parts/:index/open', async (request, response) => {
    const { viewer } = signedVisit(response)
    const story = await visibleStory(doors, request, viewer)
    const link = await doors.permalink(story.id, Number(request.params.index))
    if (link === null || !link.startsWith('https://')) throw new LastwordError('not_found')
    response.redirect(303, link)
  })

  for (const action of ACTIONS) addAction(router, doors, action)
}

function addAction(router: Router, doors: ConsoleDoors, action: Action): void {
  router.get(`/deliveries/:id/${action}`, async (request, response) => {
    const { frame, viewer } = signedVisit(response)
    const story = await visibleStory(doors, request, viewer)
    mustHave(viewer, 'deliveries:write')
    if (!actionsFor(story, viewer).includes(action)) throw new LastwordError('not_replayable')
    const words = frame.format.texts.confirm
    const path = `/console/deliveries/${story.id}`
    const content = confirmPage(frame, {
      title: words[`${action}Title`],
      text: words[`${action}Text`],
      subject: story.runId,
      action: `${path}/${action}`,
      button: words[`${action}Button`],
      isDanger: action === 'cancel',
      back: path,
    })
    sendPage(response, { title: words[`${action}Title`], section: 'deliveries', content })
  })

  router.post(`/deliveries/:id/${action}`, async (request, response) => {
    const { viewer } = signedVisit(response)
    const { id } = await visibleStory(doors, request, viewer)
    mustHave(viewer, 'deliveries:write')
    await doors[action](id, viewer)
    response.redirect(303, `/console/deliveries/${id}?done=${action === 'replay' ? 'replayed' : 'cancelled'}`)
  })
}

async function find(doors: ConsoleDoors, search: Search, viewer: Producer): Promise<SearchResult> {
  const found = await doors.search(
    {
      runId: search.run ?? undefined,
      conversationKey: search.conversation ?? undefined,
      reason: search.reason ?? undefined,
      installationId: search.installation ?? undefined,
      state: search.state ?? undefined,
      installationIds: viewer.installationIds ?? undefined,
    },
    { limit: PAGE_SIZE + 1, beforeSeq: search.before ?? undefined },
  )
  const rows = found.slice(0, PAGE_SIZE)
  return { rows, next: found.length > PAGE_SIZE ? (rows.at(-1)?.seq ?? null) : null }
}

/** What a key may not see is not there. @throws {LastwordError} `not_found` */
async function visibleStory(doors: ConsoleDoors, request: Request, viewer: Producer): Promise<ConsoleStory> {
  const story = await doors.story(textOf(request.params.id) ?? '')
  const mine = viewer.installationIds
  if (story === null || (mine !== null && !mine.includes(story.installationId))) {
    throw new LastwordError('not_found')
  }
  return story
}

function actionsFor(story: ConsoleStory, viewer: Producer): readonly Action[] {
  if (!viewer.may('deliveries:write')) return []
  if (story.settledAt === null) return ['cancel']
  return REPLAYABLE.has(story.state) ? ['replay'] : []
}

function previewsOf(story: ConsoleStory): ReadonlyMap<number, readonly PreviewPiece[]> {
  const preview = story.platform === 'slack' ? previewSlack : previewLark
  return new Map(story.frozen.map(({ index, part }) => [index, preview(part)]))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
