import express, { type Router } from 'express'
import type { UnreadyReason } from '../observe/readiness.js'

export interface HealthOptions {
  /** Why this process should get no traffic; empty when it may. */
  readonly readiness: () => Promise<readonly UnreadyReason[]>
  /** What a Prometheus scraper reads. */
  readonly metrics?: { readonly contentType: string; render(): Promise<string> }
}

/** `/healthz`: the process answers. `/readyz`: it does its work, or 503 with reasons. `/metrics` for Prometheus. */
export function healthRouter({ readiness, metrics }: HealthOptions): Router {
  const router = express.Router()
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  router.get('/readyz', async (_request, response) => {
    const reasons = await readiness()
    if (reasons.length === 0) response.json({ status: 'ready' })
    else response.status(503).json({ status: 'not_ready', reasons })
  })
  if (metrics !== undefined) {
    router.get('/metrics', async (_request, response) => {
      response.type(metrics.contentType).send(await metrics.render())
    })
  }
  return router
}
