import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createSlackSocket, type SlackSocket } from '../../../src/platforms/slack/receiver.js'
import { listen } from '../../support/slack/wire.js'

let server: Server
let sockets: WebSocketServer
let apiUrl: string
let socket: SlackSocket
const bodies: unknown[] = []
let handle: () => Promise<void>

beforeAll(async () => {
  server = createServer((request, response) => {
    const isOpen = request.url === '/api/apps.connections.open'
    const isOurs = request.headers.authorization === 'Bearer xapp-1'
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(
        isOpen && isOurs
          ? { ok: true, url: apiUrl.replace('http', 'ws') }
          : { ok: false, error: 'invalid_auth' },
      ),
    )
  })
  const port = await listen(server, 0)
  apiUrl = `http://127.0.0.1:${port}/api/`
  sockets = new WebSocketServer({ server })
})
afterAll(async () => {
  sockets.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  bodies.length = 0
  handle = async () => {}
  socket = createSlackSocket({
    apiUrl,
    appToken: 'xapp-1',
    onBody: async (body) => {
      bodies.push(body)
      await handle()
    },
    onFault: () => {},
  })
})
afterEach(() => socket.stop())

async function connected(): Promise<WebSocket> {
  const arrived = new Promise<WebSocket>((done) => sockets.once('connection', done))
  const started = socket.start()
  const slack = await arrived
  slack.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
  await started
  return slack
}

const deliver = (slack: WebSocket, id: string) =>
  slack.send(
    JSON.stringify({
      type: 'events_api',
      envelope_id: id,
      accepts_response_payload: false,
      payload: {
        type: 'event_callback',
        event_id: id,
        event_time: 1,
        team_id: 'T1',
        event: { type: 'app_uninstalled' },
      },
    }),
  )

const nextMessage = (slack: WebSocket) =>
  new Promise<unknown>((done) => slack.once('message', (data) => done(JSON.parse(String(data)))))

test('an event over a socket is handled, then acknowledged by its envelope', async () => {
  const slack = await connected()
  const answer = nextMessage(slack)
  deliver(slack, 'one')
  expect(await answer).toMatchObject({ envelope_id: 'one' })
  expect(bodies).toMatchObject([{ event_id: 'one', event: { type: 'app_uninstalled' } }])
})

test('one that fails is not acknowledged, so that Slack sends it again', async () => {
  const slack = await connected()
  const answer = nextMessage(slack)
  let isFirst = true
  handle = async () => {
    if (isFirst) {
      isFirst = false
      throw new Error('the database is away')
    }
  }
  deliver(slack, 'failed')
  deliver(slack, 'works')
  expect(await answer).toMatchObject({ envelope_id: 'works' })
  expect(bodies).toHaveLength(2)
})
