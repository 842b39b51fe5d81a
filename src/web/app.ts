import express, { type Express, type Router } from 'express'
import { LastwordError } from '../errors.js'
import type { NoticeDoors } from '../intake/notices.js'
import type { Logger } from '../log.js'
import { type ApiDoors, apiRouter } from './api.js'
import type { ConsoleDoors } from './console/doors.js'
import { consoleRouter } from './console/router.js'
import { type HealthOptions, healthRouter } from './health.js'
import { noticesRouter } from './notices.js'
import { openApiRouter } from './openapi.js'
import { answerProblems } from './problem.js'
import { type RunsOptions, runsRouter } from './runs.js'

export interface WebOptions extends HealthOptions, Omit<RunsOptions, 'accept'> {
  readonly log: Logger
  /** Takes a run in; absent: not here. */
  readonly accept?: RunsOptions['accept']
  /** Of Lastword, for the API's document. */
  readonly version?: string
  /** Deliveries, receipts and webhooks; absent: no such doors. */
  readonly api?: ApiDoors
  /** The completion notices; absent: no such door. */
  readonly notices?: NoticeDoors
  /** Doors and pages of the platforms' apps. */
  readonly installs?: Router
  /** What the console reads and changes; absent: no console. */
  readonly console?: ConsoleDoors
}

/** The HTTP app: every door and page, one router a file. */
export function createWebApp(options: WebOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', 'simple')
  app.use(healthRouter(options))
  app.use(openApiRouter(options.version ?? '0.0.0'))
  if (options.installs !== undefined) app.use(options.installs)
  if (options.console !== undefined)
    app.use('/console', consoleRouter({ doors: options.console, log: options.log, now: Date.now }))
  if (options.accept !== undefined) app.use(runsRouter({ ...options, accept: options.accept }))
  if (options.notices !== undefined) app.use(noticesRouter({ ...options, notices: options.notices }))
  if (options.api !== undefined) app.use(apiRouter({ ...options, ...options.api }))
  app.use(() => {
    throw new LastwordError('not_found')
  })
  app.use(answerProblems(options.log))
  return app
}
