import { once } from 'node:events'
import { createServer } from 'node:http'
import { LastwordError } from '../../src/errors.js'
import { createLogger } from '../../src/log.js'
import { createWebApp } from '../../src/web/app.js'
import { answerOf, EVERYWHERE, TEST_KEY } from './doors.js'
import { type EngineOptions, type EngineUnderTest, type Settled, startEngine } from './engine.js'

/** The real HTTP door over the real engine, in front of both strict fakes. */
export interface Pipeline {
  readonly engine: EngineUnderTest
  readonly url: string
  /** One call of our own API, with a good key. */
  call(method: string, path: string, body?: unknown): Promise<Response>
  /** Posts a run; the delivery's id. */
  post(run: object): Promise<string>
  /** Posts a run and waits for its end. */
  deliver(run: object): Promise<Settled>
  /** What producers are told of a delivery's end. */
  receipt(deliveryId: string): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

export async function startPipeline(options: EngineOptions = {}): Promise<Pipeline> {
  const engine = await startEngine(options)
  const { app } = engine
  const web = createWebApp({
    log: createLogger('silent'),
    maxOutputBytes: app.config.LASTWORD_MAX_OUTPUT_BYTES,
    accept: app.accept,
    notices: app.notices,
    producerByKey: async (key) => (key === TEST_KEY ? EVERYWHERE : null),
    readiness: async () => [],
  })
  const server = createServer(web)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new LastwordError('internal')
  const url = `http://127.0.0.1:${address.port}`

  const pipeline: Pipeline = {
    engine,
    url,
    call: (method, path, body) =>
      fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TEST_KEY}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async post(run) {
      const response = await pipeline.call('POST', '/v1/runs', run)
      const answer = await answerOf(response)
      if (!response.ok) throw new Error(`the door answered ${response.status} ${JSON.stringify(answer)}`)
      return answer.deliveryId
    },
    deliver: async (run) => engine.settled(await pipeline.post(run)),
    async receipt(deliveryId) {
      const { rows } = await engine.database.pool.query<{ body: Record<string, unknown> }>(
        'select body from receipts where delivery_id = $1 order by id desc limit 1',
        [deliveryId],
      )
      const [row] = rows
      if (row === undefined) throw new RangeError(`no receipt of ${deliveryId}`)
      return row.body
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await engine.close()
    },
  }
  return pipeline
}
