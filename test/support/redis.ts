import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface TestRedis {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a real Redis: the machine's, or Debian's package where it may be installed. Null where there is none; with
 * `CI=true` that is an error, so that the suite is never left out unseen.
 */
export async function startRedis(): Promise<TestRedis | null> {
  if (!(await hasRedis()) && !(await installRedis())) {
    if (process.env.CI === 'true') throw new Error('no redis-server here, and it could not be installed')
    return null
  }
  const folder = await mkdtemp(join(tmpdir(), 'lastword-redis-'))
  const port = await freePort()
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  await ready(server.stdout)
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ready(output: NodeJS.ReadableStream): Promise<void> {
  for await (const chunk of output) {
    if (String(chunk).includes('Ready to accept connections')) return
  }
  throw new Error('redis-server ended before it was ready')
}

const hasRedis = () =>
  run('redis-server', ['--version']).then(
    () => true,
    () => false,
  )

async function installRedis(): Promise<boolean> {
  if (userInfo().uid !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], { env })
  await install().catch(async () => {
    await run('apt-get', ['update'], { env }).catch(() => undefined)
    await install().catch(() => undefined)
  })
  return hasRedis()
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null ? done(address.port) : fail(new Error('no port')),
      )
    })
  })
}
