import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * The cheapest thing that answers like Slack, in a process of its own so that its work is not counted as ours. It
 * keeps no state but a count and, for runs named `bench-<number>`, when each post arrived.
 *
 * `POST /api/chat.postMessage` after `LATENCY_MS`; `POST /api/auth.test`; `GET /count`, `GET /arrivals` (pairs of run
 * number and ms on the machine's monotonic clock), `GET /reset?latencyMs=`.
 */
const state = { posts: 0, latencyMs: 0, arrivals: new Map<number, number>() }

const RUN = /bench-(\d+)/
const IDENTITY = JSON.stringify({
  ok: true,
  team: 'Bench',
  team_id: 'T0BENCH',
  user_id: 'U0BENCH',
  bot_id: 'B0BENCH',
  user: 'bench',
})

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(request, response, Buffer.concat(chunks)))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
process.on('disconnect', () => process.exit(0))

function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  switch (url.pathname) {
    case '/api/chat.postMessage':
      posted(response, body)
      break
    case '/api/auth.test':
      say(response, IDENTITY)
      break
    case '/count':
      say(response, JSON.stringify({ posts: state.posts }))
      break
    case '/arrivals':
      say(response, JSON.stringify([...state.arrivals]))
      break
    case '/reset':
      state.posts = 0
      state.arrivals.clear()
      state.latencyMs = Number(url.searchParams.get('latencyMs') ?? 0)
      say(response, '{"ok":true}')
      break
    default:
      say(response, '{"ok":false,"error":"unknown_method"}')
      break
  }
}

function posted(response: ServerResponse, body: Buffer): void {
  state.posts += 1
  const run = RUN.exec(body.toString('latin1'))?.[1]
  if (run !== undefined) state.arrivals.set(Number(run), Number(process.hrtime.bigint()) / 1e6)
  const ts = `1732960000.${String(state.posts).padStart(6, '0')}`
  const text = JSON.stringify({
    ok: true,
    channel: 'C0BENCH',
    ts,
    message: { type: 'message', text: '', ts },
  })
  if (state.latencyMs === 0) say(response, text)
  else setTimeout(say, state.latencyMs, response, text)
}

function say(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
