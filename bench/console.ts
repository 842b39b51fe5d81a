import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createConsoleDoors } from '../src/app/console.js'
import { createProducers } from '../src/app/producers.js'
import { createLogger } from '../src/log.js'
import { createApiKey } from '../src/store/api-keys.js'
import { type OpenDatabase, openDatabase } from '../src/store/database.js'
import { listDeliveries, showDelivery } from '../src/store/delivery-list.js'
import { startEmbedded } from '../src/store/embedded.js'
import { migrate } from '../src/store/migrate.js'
import { listReceipts } from '../src/store/receipt-list.js'
import { createWebApp } from '../src/web/app.js'
import { type Seeded, seedDeliveries } from './console-seed.js'

/** What one address took, from the request to the last byte, on the same machine. */
export interface ConsoleFigures {
  readonly name: string
  readonly path: string
  readonly limitMs: number
  readonly medianMs: number
  readonly worstMs: number
}

const DELIVERIES = 1_000_000
const PAGE_LIMIT_MS = 100
const LIST_LIMIT_MS = 50
const RUNS = 15
const OWN_KEY = 'lw_bench_key_of_the_operator'

/** Seeds a month of deliveries and asks for every page of the console and every list of the API. */
export async function benchConsole(count = DELIVERIES): Promise<readonly ConsoleFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastword-bench-'))
  const log = createLogger('silent')
  const embedded = await startEmbedded(folder, log)
  const database = openDatabase(embedded.url, log)
  try {
    await migrate(database.pool)
    const seeded = await seedDeliveries(database.pool, count, (done) =>
      process.stderr.write(`\rseeded ${done}`),
    )
    process.stderr.write('\n')
    return await measureConsole(database, seeded)
  } finally {
    await database.close()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Asks for everything on a database that is seeded. */
export async function measureConsole(
  database: OpenDatabase,
  seeded: Seeded,
): Promise<readonly ConsoleFigures[]> {
  const { db } = database
  const scoped = await createApiKey(db, {
    name: 'scoped',
    rights: ['console', 'deliveries:read'],
    installationIds: [seeded.busyInstallation, seeded.quietInstallation, 'slack:T203', 'slack:T204'],
  })
  const service = await startService(database)
  const figures: ConsoleFigures[] = []
  const time = async (
    list: Readonly<Record<string, string>>,
    limitMs: number,
    who: string,
    headers: Record<string, string>,
  ) => {
    for (const [name, path] of Object.entries(list)) {
      figures.push({ name: `${name}${who}`, path, limitMs, ...(await timeOf(service.url + path, headers)) })
    }
  }
  try {
    const newest = await listDeliveries(db, {}, { limit: 1 })
    const id = newest[0]?.id ?? ''
    const story = (await listDeliveries(db, { state: 'dead' }, { limit: 1 }))[0]?.id ?? id
    const pages = pagesOf(seeded, story)
    const lists = listsOf(seeded)
    await time(pages, PAGE_LIMIT_MS, '', { cookie: await service.signIn(OWN_KEY) })
    await time(pages, PAGE_LIMIT_MS, ', scoped key', { cookie: await service.signIn(scoped.key) })
    await time(lists, LIST_LIMIT_MS, '', { authorization: `Bearer ${OWN_KEY}` })
    await time(lists, LIST_LIMIT_MS, ', scoped key', { authorization: `Bearer ${scoped.key}` })
    return figures
  } finally {
    await service.close()
  }
}

function pagesOf(
  { busyInstallation, quietInstallation, deliveries }: Seeded,
  story: string,
): Record<string, string> {
  const search = (query: Record<string, string>) => `/console/deliveries?${new URLSearchParams(query)}`
  return {
    overview: '/console',
    'search: nothing': '/console/deliveries',
    'search: far back': search({ before: String(Math.floor(deliveries / 10)) }),
    'search: run': search({ run: 'run_424242' }),
    'search: unknown run': search({ run: 'nobody' }),
    'search: conversation': search({ conversation: `${busyInstallation}|C4` }),
    'search: dead': search({ state: 'dead' }),
    'search: delivered, far back': search({
      state: 'delivered',
      before: String(Math.floor(deliveries / 10)),
    }),
    'search: waiting': search({ state: 'accepted' }),
    'search: state without rows': search({ state: 'planned' }),
    'search: reason': search({ reason: 'superseded' }),
    'search: unknown reason': search({ reason: 'no_such_code' }),
    'search: busy installation': search({ installation: busyInstallation }),
    'search: quiet installation': search({ installation: quietInstallation }),
    'search: quiet installation, dead': search({ installation: quietInstallation, state: 'dead' }),
    'search: busy installation, expired': search({ installation: busyInstallation, state: 'expired' }),
    'search: quiet installation, reason': search({
      installation: quietInstallation,
      reason: 'unknown_outcome',
    }),
    'search: busy installation, nothing found': search({ installation: busyInstallation, state: 'planned' }),
    'search: delivered with a reason': search({ state: 'delivered', reason: 'superseded' }),
    story: `/console/deliveries/${story}`,
    installations: '/console/installations',
    'installations: parked': '/console/installations?state=parked',
    installation: `/console/installations/${encodeURIComponent(busyInstallation)}`,
  }
}

function listsOf({ busyInstallation, quietInstallation, deliveries }: Seeded): Record<string, string> {
  const list = (query: Record<string, string>) => `/v1/deliveries?${new URLSearchParams(query)}`
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString()
  return {
    deliveries: list({}),
    'deliveries: 500': list({ limit: '500' }),
    'deliveries: far back': list({ before: String(Math.floor(deliveries / 10)) }),
    'deliveries: dead': list({ state: 'dead' }),
    'deliveries: reason': list({ reason: 'superseded' }),
    'deliveries: since': list({ since: dayAgo }),
    'deliveries: busy installation, since': list({ installation: busyInstallation, since: dayAgo }),
    'deliveries: quiet installation, dead': list({ installation: quietInstallation, state: 'dead' }),
    'receipts: from the beginning': '/v1/receipts',
    'receipts: 500': '/v1/receipts?limit=500',
  }
}

interface Service {
  readonly url: string
  /** A cookie of a session with this key. */
  signIn(key: string): Promise<string>
  close(): Promise<void>
}

async function startService({ db }: OpenDatabase): Promise<Service> {
  const refuse = async () => Promise.reject(new RangeError('not part of the bench'))
  const log = createLogger('silent')
  const deliveries = {
    list: listDeliveries.bind(null, db),
    show: showDelivery.bind(null, db),
    replay: refuse,
    cancel: refuse,
  }
  const webhooks = { list: refuse, add: refuse, remove: refuse, enable: refuse, test: refuse }
  const doors = createConsoleDoors({ db, ownKey: OWN_KEY, deliveries, now: Date.now, log })
  const web = createWebApp({
    log,
    maxOutputBytes: 1_048_576,
    accept: refuse,
    producerByKey: createProducers(db, OWN_KEY, Date.now),
    readiness: async () => [],
    api: { deliveries, receipts: (scope, page) => listReceipts(db, scope, page), webhooks },
    console: doors,
  })
  const server = createServer(web)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async signIn(key) {
      const opened = await doors.signIn(key)
      if (opened.kind !== 'opened') throw new RangeError(`signing in: ${opened.kind}`)
      return `lastword_session=${opened.session}`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The first requests warm caches and plans; the worst of the rest is told too. */
async function timeOf(
  url: string,
  headers: Record<string, string>,
): Promise<Pick<ConsoleFigures, 'medianMs' | 'worstMs'>> {
  const times: number[] = []
  for (let at = -2; at < RUNS; at += 1) {
    const start = performance.now()
    const response = await fetch(url, { headers, redirect: 'manual' })
    await response.text()
    if (![200, 404].includes(response.status)) throw new RangeError(`${url} answered ${response.status}`)
    if (at >= 0) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return { medianMs: times[Math.floor(times.length / 2)] ?? 0, worstMs: times.at(-1) ?? 0 }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const figures = await benchConsole(Number(process.argv[2] ?? DELIVERIES))
  for (const { name, medianMs, worstMs, limitMs } of figures) {
    const verdict = medianMs <= limitMs ? 'ok' : `over ${limitMs} ms`
    process.stdout.write(
      `${name.padEnd(52)} ${medianMs.toFixed(1).padStart(8)} ${worstMs.toFixed(1).padStart(8)} ms  ${verdict}\n`,
    )
  }
}
