import type { Request, Router } from 'express'
import { LastwordError } from '../../errors.js'
import type { Producer } from '../../intake/producer.js'
import type { InstallationHealth } from '../../store/installation-health.js'
import type { InstallationState } from '../../store/tables.js'
import { mustHave } from '../auth.js'
import type { ConsoleDoors } from './doors.js'
import {
  INSTALLATIONS_PER_PAGE,
  installationPage,
  installationPath,
  installationsPage,
} from './installations-page.js'
import { confirmPage } from './small-pages.js'
import { doneWords, sendPage, signedVisit } from './visit.js'

const STATES: readonly InstallationState[] = ['active', 'parked', 'removed']

/** Installations with their health, and the way back for one that is parked. */
export function addInstallations(router: Router, doors: ConsoleDoors): void {
  router.get('/installations', async (request, response) => {
    const { frame, viewer } = signedVisit(response)
    const state = STATES.find((one) => one === request.query.state) ?? null
    const afterId = textOf(request.query.after)
    const found = await doors.installations(viewer.installationIds, {
      limit: INSTALLATIONS_PER_PAGE + 1,
      afterId,
      state,
    })
    const rows = found.slice(0, INSTALLATIONS_PER_PAGE)
    const nextAfterId = found.length > INSTALLATIONS_PER_PAGE ? (rows.at(-1)?.id ?? null) : null
    const content = installationsPage({ rows, state, afterId, nextAfterId }, frame.format)
    sendPage(response, { title: frame.format.texts.installations.title, section: 'installations', content })
  })

  router.get('/installations/:id', async (request, response) => {
    const { frame, viewer } = signedVisit(response)
    const row = await visibleInstallation(doors, request, viewer)
    const done = doneWords(request, frame.format.texts)
    const content = installationPage(row, { mayResume: viewer.may('deliveries:write'), done }, frame.format)
    sendPage(response, { title: row.name ?? row.id, section: 'installations', content })
  })

  router.get('/installations/:id/resume', async (request, response) => {
    const { frame, viewer } = signedVisit(response)
    const row = await visibleInstallation(doors, request, viewer)
    mustHave(viewer, 'deliveries:write')
    if (row.state !== 'parked') throw new LastwordError('not_replayable')
    const words = frame.format.texts.confirm
    const path = installationPath(row.id)
    const content = confirmPage(frame, {
      title: words.resumeTitle,
      text: words.resumeText,
      subject: row.name ?? row.id,
      action: `${path}/resume`,
      button: words.resumeButton,
      isDanger: false,
      back: path,
    })
    sendPage(response, { title: words.resumeTitle, section: 'installations', content })
  })

  router.post('/installations/:id/resume', async (request, response) => {
    const { viewer } = signedVisit(response)
    const { id } = await visibleInstallation(doors, request, viewer)
    mustHave(viewer, 'deliveries:write')
    await doors.resume(id, viewer)
    response.redirect(303, `${installationPath(id)}?done=resumed`)
  })
}

/** What a key may not see is not there. @throws {LastwordError} `not_found` */
async function visibleInstallation(
  doors: ConsoleDoors,
  request: Request,
  viewer: Producer,
): Promise<InstallationHealth> {
  const row = await doors.installation(textOf(request.params.id) ?? '')
  const mine = viewer.installationIds
  if (row === null || (mine !== null && !mine.includes(row.id))) throw new LastwordError('not_found')
  return row
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
