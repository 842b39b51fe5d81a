import express, { type NextFunction, type Request, type Response, type Router } from 'express'
import { LastwordError } from '../../errors.js'
import type { Logger } from '../../log.js'
import { addAssets } from './assets.js'
import { addDeliveries } from './deliveries.js'
import type { ConsoleDoors } from './doors.js'
import { addInstallations } from './installations.js'
import { addLogin } from './login.js'
import { overviewPage } from './overview-page.js'
import { answerWithPage } from './problems.js'
import { createThrottle } from './throttle.js'
import { checkForm, identify, sendPage, signedVisit, visitOf } from './visit.js'

/** Longest form of ours, in bytes: a key, a token and an address. */
const MAX_FORM_BYTES = 16_384

export interface ConsoleOptions {
  readonly doors: ConsoleDoors
  readonly log: Logger
  /** Milliseconds since the Unix epoch, UTC. */
  readonly now: () => number
}

/** The console, to mount at `/console`. Server-rendered pages; works without scripts. */
export function consoleRouter({ doors, log, now }: ConsoleOptions): Router {
  const router = express.Router()
  addAssets(router)
  router.use(identify(doors, now))
  router.use(express.urlencoded({ extended: false, limit: MAX_FORM_BYTES, parameterLimit: 20 }))
  router.use(checkForm)
  addLogin(router, doors, createThrottle())
  router.use(mustBeSignedIn)
  router.get('/', async (_request, response) => {
    const { frame, viewer, nowMs } = signedVisit(response)
    const content = overviewPage(await doors.overview(viewer.installationIds), frame.format, nowMs)
    sendPage(response, { title: frame.format.texts.overview.title, section: 'overview', content })
  })
  addDeliveries(router, doors)
  addInstallations(router, doors)
  router.use(() => {
    throw new LastwordError('not_found')
  })
  router.use(answerWithPage(log))
  return router
}

/** Strangers are shown the way in, and afterwards where they wanted to go. */
function mustBeSignedIn(request: Request, response: Response, next: NextFunction): void {
  if (visitOf(response).viewer !== null) {
    next()
    return
  }
  const wanted = request.method === 'GET' ? request.originalUrl : '/console'
  response.redirect(303, `/console/login?next=${encodeURIComponent(wanted)}`)
}
