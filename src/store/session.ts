import pg from 'pg'
import type { Logger } from '../log.js'

/** Wait before a lost session is opened again, in ms. */
const REOPEN_MS = 500

export interface Session {
  close(): Promise<void>
}

/**
 * One database session of our own that hears notifications and holds the worker's advisory lock: the lock is what
 * tells others, the moment this process dies, that it is gone. Opened again when lost.
 *
 * @param onNotice called for each notification, and once after each (re)opening, since some may have been missed
 * @param onHeld told when the session was lost, and when it holds its lock again
 */
export async function openSession(options: {
  readonly url: string
  readonly channel: string
  readonly workerId: string
  readonly onNotice: () => void
  readonly onHeld: (isHeld: boolean) => void
  readonly log: Logger
}): Promise<Session> {
  let isClosed = false
  let reopening: NodeJS.Timeout | null = null
  let client: pg.Client | null = null

  async function open(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: options.url,
      application_name: 'lastword session',
      keepAlive: true,
    })
    client = fresh
    const gone = () => {
      if (client === fresh) lost()
    }
    fresh.on('error', gone)
    fresh.on('end', gone)
    fresh.on('notification', options.onNotice)
    await fresh.connect()
    await fresh.query('select pg_advisory_lock(hashtextextended($1, 0))', [options.workerId])
    options.onHeld(true)
    await fresh.query(`listen ${options.channel}`)
    options.onNotice()
  }

  function lost(): void {
    if (isClosed || reopening !== null) return
    options.onHeld(false)
    options.log.warn('the listening database session was lost; opening it again')
    const old = client
    reopening = setTimeout(() => {
      reopening = null
      // Its lock, if it still has one, would keep the next session waiting.
      old?.end().catch(() => undefined)
      open().catch(lost)
    }, REOPEN_MS)
  }

  async function close(): Promise<void> {
    isClosed = true
    if (reopening !== null) clearTimeout(reopening)
    await client?.end().catch(() => undefined)
  }

  try {
    await open()
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}
