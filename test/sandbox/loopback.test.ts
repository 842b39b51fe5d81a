import { createServer, Server } from 'node:http'
import { expect, test } from 'vitest'
import { bindToLoopback, closeServer, freePort } from '../../src/sandbox/loopback.js'

test('a server that would listen everywhere listens on loopback, and others are left alone', async () => {
  const port = await freePort()
  const other = createServer()
  const { value, server } = await bindToLoopback(port, async () => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    return createServer().listen(port)
  })
  expect(server).toBe(value)
  expect(server.address()).toMatchObject({ address: '127.0.0.1', port })
  expect(other.listening).toBe(true)
  expect(Object.hasOwn(Server.prototype, 'listen')).toBe(false)
  await closeServer(server)
  await closeServer(other)
})

test('something that never listens is an error, and nothing stays changed', async () => {
  await expect(bindToLoopback(1, async () => {})).rejects.toThrow('nothing listened on port 1')
  expect(Object.hasOwn(Server.prototype, 'listen')).toBe(false)
})
