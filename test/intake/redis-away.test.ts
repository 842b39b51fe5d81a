import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openBullmqDoor } from '../../src/intake/bullmq.js'
import { createLogger } from '../../src/log.js'

test('a Redis that is away keeps neither the start nor the end of a process waiting', async () => {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => server.close(resolve))
  const door = await openBullmqDoor({
    redisUrl: `redis://127.0.0.1:${port}`,
    queueName: 'away',
    accept: async () => ({ deliveryId: 'none', isNew: true }),
    producerByKey: async () => null,
    log: createLogger('silent'),
  })
  await door.stop()
  expect(server.listening).toBe(false)
})
