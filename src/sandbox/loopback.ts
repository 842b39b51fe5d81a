import { createServer, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A port nothing listens on right now. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listenOnLoopback(probe, 0)
  await closeServer(probe)
  return port
}

/** Listens on 127.0.0.1 and returns the port. Rejects when it is taken. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve(portOf(server.address()))
    })
  })
}

/** Stops a server at once, open connections included. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
    server.closeAllConnections()
  })
}

/**
 * Runs `start`, which makes a server listen on `port` of every interface, and binds that one server to loopback
 * instead. For a library that offers no host setting and keeps its server to itself.
 *
 * @returns what `start` gave and the server, which then listens. Rejects when the port is taken.
 */
export async function bindToLoopback<T>(
  port: number,
  start: () => Promise<T>,
): Promise<{ value: T; server: Server }> {
  const original = Server.prototype.listen
  let listening: Promise<Server> | null = null
  Object.defineProperty(Server.prototype, 'listen', {
    configurable: true,
    writable: true,
    value: function listen(this: Server, ...args: unknown[]): Server {
      if (args[0] !== port || args[1] !== undefined) return Reflect.apply(original, this, args)
      Reflect.deleteProperty(Server.prototype, 'listen')
      listening = listenOnLoopback(this, port).then(() => this)
      return this
    },
  })
  try {
    const value = await start()
    if (listening === null) throw new TypeError(`nothing listened on port ${port}`)
    return { value, server: await listening }
  } finally {
    Reflect.deleteProperty(Server.prototype, 'listen')
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port')
  return address.port
}
