import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** One request as it came in. */
export interface Received {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a receiver answers; `null` leaves the request without an answer. */
export type Behaviour = (request: Received, response: ServerResponse) => void

/** A producer's webhook receiver that may misbehave. */
export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  behave(behaviour: Behaviour): void
  /** Forgets what was received. */
  clear(): void
  /** The event of a request, after its signature was verified with the published library. */
  verify(secret: string, request: Received, nowMs: number): unknown
  close(): Promise<void>
}

export const accept: Behaviour = (_request, response) => void response.writeHead(204).end()

export function refuse(status: number, headers: Record<string, string> = {}): Behaviour {
  return (_request, response) => void response.writeHead(status, headers).end('no')
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let behaviour: Behaviour = accept
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const one: Received = { id: headers['webhook-id'] ?? '', headers, body }
    received.push(one)
    behaviour(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    clear: () => void received.splice(0),
    behave: (next) => {
      behaviour = next
    },
    verify(secret, request, nowMs) {
      // The library compares with the machine's clock; signatures of a moved clock are checked without its age rule.
      const webhook = new Webhook(secret)
      const sentAt = Number(request.headers['webhook-timestamp'])
      if (Math.abs(sentAt - nowMs / 1_000) > 300) throw new TypeError('a timestamp of another time')
      if (Math.abs(sentAt - Date.now() / 1_000) < 300) return webhook.verify(request.body, request.headers)
      const expected = webhook.sign(request.id, new Date(sentAt * 1_000), request.body)
      if (expected !== request.headers['webhook-signature']) throw new TypeError('a wrong signature')
      return JSON.parse(request.body)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
