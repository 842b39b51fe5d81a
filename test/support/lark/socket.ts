import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** Lark's side of long connections: tells where to connect, takes sockets, pushes events as frames. */
export interface SocketFake {
  readonly url: string
  /** How often somebody asked where to connect, by app id. */
  readonly asked: readonly string[]
  openSockets(): number
  /** Answers the next questions with this code. */
  refuseWith(code: number | null): void
  /** Pushes an event over the newest socket; resolves with the status the client answered. */
  push(body: string): Promise<number>
  /** Cuts every socket. */
  cut(): void
  close(): Promise<void>
}

/** Only this app id and secret are let in. */
export async function startSocketFake(app: {
  readonly appId: string
  readonly appSecret: string
}): Promise<SocketFake> {
  const asked: string[] = []
  const answers = new Map<string, (status: number) => void>()
  let refusal: number | null = null
  let pushed = 0
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const given: { AppID?: string; AppSecret?: string } = JSON.parse(Buffer.concat(chunks).toString())
    asked.push(given.AppID ?? '')
    const isKnown = given.AppID === app.appId && given.AppSecret === app.appSecret
    const code = refusal ?? (request.url === '/callback/ws/endpoint' && isKnown ? 0 : 1000040345)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(code === 0 ? address(port) : { code, msg: 'refused', data: null }))
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (socket) => {
    socket.on('message', (bytes: Buffer) => {
      const frame = readFrame(bytes)
      const id = frame.headers.get('message_id')
      if (id !== undefined) answers.get(id)?.(Number(JSON.parse(frame.payload).code))
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const port = (http.address() as AddressInfo).port
  const open = (): readonly WebSocket[] => [...sockets.clients].filter((socket) => socket.readyState === 1)
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    openSockets: () => open().length,
    refuseWith: (code) => {
      refusal = code
    },
    push(body) {
      pushed += 1
      const id = `m${pushed}`
      const answered = new Promise<number>((resolve) => answers.set(id, resolve))
      open().at(-1)?.send(eventFrame(id, body))
      return answered
    },
    cut: () => {
      for (const socket of sockets.clients) socket.terminate()
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

function address(port: number) {
  const config = { PingInterval: 60, ReconnectCount: -1, ReconnectInterval: 0.01, ReconnectNonce: 0.01 }
  return {
    code: 0,
    msg: 'ok',
    data: { URL: `ws://127.0.0.1:${port}/ws?device_id=d1&service_id=1`, ClientConfig: config },
  }
}

/** A data frame in Lark's protobuf: headers (5), payload (8), method (4) 1 for data. */
function eventFrame(id: string, body: string): Buffer {
  const headers = { type: 'event', message_id: id, sum: '1', seq: '0', trace_id: id }
  const pairs = Object.entries(headers).map(([key, value]) =>
    bytesField(5, Buffer.concat([bytesField(1, Buffer.from(key)), bytesField(2, Buffer.from(value))])),
  )
  return Buffer.concat([
    ...[1, 2, 3].flatMap((field) => [varint(field << 3), varint(1)]),
    varint(4 << 3),
    varint(1),
    ...pairs,
    bytesField(8, Buffer.from(body)),
  ])
}

function bytesField(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) return Buffer.from(bytes)
  }
}

function readFrame(bytes: Buffer): {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: string
} {
  const fields = readFields(bytes)
  const headers = fields
    .filter(({ field }) => field === 5)
    .map(({ value }): [string, string] => {
      const pair = readFields(value)
      const text = (at: number) => pair.find(({ field }) => field === at)?.value.toString() ?? ''
      return [text(1), text(2)]
    })
  const payload = fields.find(({ field }) => field === 8)?.value.toString() ?? ''
  return { headers: new Map(headers), payload }
}

function readFields(bytes: Buffer): readonly { readonly field: number; readonly value: Buffer }[] {
  const found: { field: number; value: Buffer }[] = []
  let at = 0
  const number = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0
      at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = number()
    const isBytes = (tag & 7) === 2
    const size = number()
    if (!isBytes) continue
    found.push({ field: tag >>> 3, value: bytes.subarray(at, at + size) })
    at += size
  }
  return found
}
