/** What platforms reach us by, or we them. */
export interface Doors {
  /** Opens what we open ourselves: long connections. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Doors over the connections of all apps; `closeClient` ends what they share, after them. */
export function doorsOf(sockets: readonly Doors[], closeClient: () => Promise<void>): Doors {
  return {
    start: async () => void (await Promise.all(sockets.map((socket) => socket.start()))),
    async stop() {
      await Promise.allSettled(sockets.map((socket) => socket.stop()))
      await closeClient()
    },
  }
}
