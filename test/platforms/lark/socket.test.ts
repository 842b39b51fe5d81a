import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createLarkSocket,
  type LarkSocket,
  type LarkSocketOptions,
} from '../../../src/platforms/lark/socket.js'
import { currentEvent } from '../../support/lark/events.js'
import { LARK } from '../../support/lark/seed.js'
import { type SocketFake, startSocketFake } from '../../support/lark/socket.js'

const APP = { appId: LARK.appId, appSecret: LARK.appSecret }

let fake: SocketFake
let socket: LarkSocket
let faults: string[]
let bodies: unknown[]
/** Connections the client has said it is ready on, less those a test waited for. */
let ready: number
let wake: () => void

beforeEach(async () => {
  fake = await startSocketFake(APP)
  faults = []
  bodies = []
  ready = 0
  wake = () => {}
  socket = socketWith({})
})
afterEach(async () => {
  await socket.stop()
  await fake.close()
})

function socketWith(over: Partial<LarkSocketOptions>): LarkSocket {
  return createLarkSocket({
    ...APP,
    baseUrl: fake.url,
    async onBody(body) {
      bodies.push(body)
      return null
    },
    onFault: (code) => void faults.push(code),
    onConnected: () => {
      ready += 1
      wake()
    },
    ...over,
  })
}

/** Waits for the next connection to be ready at the client's end. */
async function connected(): Promise<void> {
  while (ready === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  ready -= 1
}

const event = () => currentEvent('im.chat.disbanded_v1', { chat_id: LARK.group }, { appId: LARK.appId })

test('events come over a connection to the app’s own host, and are acknowledged (INS-12)', async () => {
  await socket.start()
  await connected()
  const sent = event()
  expect(await fake.push(sent)).toBe(200)
  expect(bodies).toEqual([JSON.parse(sent)])
  expect(fake.asked).toEqual([LARK.appId])
  expect(faults).toEqual([])
})

test('an event whose handling failed is not acknowledged', async () => {
  await socket.stop()
  socket = socketWith({ onBody: () => Promise.reject(new Error('down')) })
  await socket.start()
  await connected()
  expect(await fake.push(event())).toBe(500)
  expect(faults).toEqual(['event_failed'])
})

test('OPS-02: fifty lost connections leave one open', async () => {
  await socket.start()
  for (let lost = 0; lost < 50; lost += 1) {
    await connected()
    expect(fake.openSockets()).toBe(1)
    fake.cut()
  }
  await connected()
  expect(await fake.push(event())).toBe(200)
  expect(fake.openSockets()).toBe(1)
})

test('the wrong region is reported by its code, and tried again later', async () => {
  fake.refuseWith(1000040351)
  await socket.stop()
  socket = socketWith({ refusedRetryMs: 5 })
  await socket.start()
  await expect.poll(() => fake.asked.length).toBeGreaterThan(1)
  expect(faults.slice(0, 2)).toEqual(['1000040351', 'socket_refused'])
  expect(faults.join()).not.toContain(LARK.appSecret)
  fake.refuseWith(null)
  await connected()
  expect(await fake.push(event())).toBe(200)
})

test('nothing reconnects after a stop', async () => {
  await socket.start()
  await connected()
  await socket.stop()
  await expect.poll(() => fake.openSockets()).toBe(0)
  expect(fake.asked).toHaveLength(1)
})

test('an app id that the SDK would pass over in silence is reported', async () => {
  await socket.stop()
  socket = socketWith({ appId: 'cli_short' })
  await socket.start()
  expect(faults).toEqual(['bad_app_id'])
})
