import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import express from 'express'
import { afterEach, expect, test } from 'vitest'
import { addLarkReceiver, type LarkReceiverOptions } from '../../../src/platforms/lark/receiver.js'
import {
  currentEvent,
  ENCRYPT_KEY,
  encrypted,
  signed,
  VERIFICATION_TOKEN,
} from '../../support/lark/events.js'
import { LARK } from '../../support/lark/seed.js'
import { listen } from '../../support/slack/wire.js'

let server: Server | null = null
afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  if (server !== null) await once(server, 'close')
  server = null
})

const faults: string[] = []
const taken = new Set<string>()

/** A door whose inbox is the test's; resolves to a function that posts the same signed request each time. */
async function openDoor(over: Pick<LarkReceiverOptions, 'onBody'> & Partial<LarkReceiverOptions>) {
  faults.length = 0
  taken.clear()
  const app = express()
  addLarkReceiver(
    {
      keys: { appId: LARK.appId, encryptKey: ENCRYPT_KEY, verificationToken: VERIFICATION_TOKEN },
      path: '/events',
      replays: { has: async (once) => taken.has(once), add: async (once) => void taken.add(once) },
      onFault: (code) => void faults.push(code),
      nowMs: Date.now,
      ...over,
    },
    app,
  )
  server = createServer(app)
  const port = await listen(server, 0)
  const body = encrypted(currentEvent('x', {}, { appId: LARK.appId }))
  const headers = signed(body)
  return async () =>
    (await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', headers, body })).status
}

test('what takes longer than Lark waits is answered in time, goes on, and is not done twice', async () => {
  let finish = () => {}
  const done = new Promise<null>((resolve) => {
    finish = () => resolve(null)
  })
  let calls = 0
  const post = await openDoor({
    answerWithinMs: 20,
    onBody: () => {
      calls += 1
      return done
    },
  })
  expect(await post()).toBe(503)
  expect(await post()).toBe(409)
  finish()
  await expect.poll(() => taken.size).toBe(1)
  expect(await post()).toBe(409)
  expect(calls).toBe(1)
  expect(faults).toEqual(['answer_late', 'replayed', 'replayed'])
})

test('a late handling that fails is told, crashes nothing, and may come again', async () => {
  let fail = () => {}
  const done = new Promise<null>((_resolve, reject) => {
    fail = () => reject(new Error('too late'))
  })
  const inbox = [() => done, async () => null]
  const post = await openDoor({ answerWithinMs: 20, onBody: () => (inbox.shift() ?? (async () => null))() })
  expect(await post()).toBe(503)
  fail()
  await expect.poll(() => faults).toEqual(['answer_late', 'event_failed'])
  expect(await post()).toBe(200)
})

test('a fault is told by its code and never by its text', async () => {
  const error = Object.assign(new Error('secret text'), { code: 'undecided_event' })
  const post = await openDoor({ onBody: () => Promise.reject(error) })
  expect(await post()).toBe(503)
  expect(faults).toEqual(['undecided_event'])
})
