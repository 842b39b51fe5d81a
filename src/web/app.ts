import express, { type Express, type Router } from 'express'
import { LastwordError } from '../errors.js'
import type { NoticeDoors } from '../intake/notices.js'
import type { Logger } from '../log.js'
import { noticesRouter } from './notices.js'
import { answerProblems } from './problem.js'
import { type RunsOptions, runsRouter } from './runs.js'

export interface WebOptions extends RunsOptions {
  readonly log: Logger
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>
  /** The completion notices; absent: no such door. */
  readonly notices?: NoticeDoors
  /** Doors and pages of the platforms' apps. */
  readonly installs?: Router
}

/** The HTTP app: every door and page, one router a file. */
export function createWebApp(options: WebOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', 'simple')
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', async (_request, response) => {
    await options.ping()
    response.json({ status: 'ready' })
  })
  if (options.installs !== undefined) app.use(options.installs)
  app.use(runsRouter(options))
  if (options.notices !== undefined) app.use(noticesRouter({ ...options, notices: options.notices }))
  app.use(() => {
    throw new LastwordError('not_found')
  })
  app.use(answerProblems(options.log))
  return app
}
