import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LaneClaim, Ledger, StoredPart } from '../../src/deliver/ledger.js'
import type { NewDelivery } from '../../src/intake/accept.js'
import { parseRun } from '../../src/intake/parse-run.js'
import { acceptanceLedger } from '../../src/store/accept-delivery.js'
import { claimLanes } from '../../src/store/claim-lanes.js'
import { createLedger } from '../../src/store/ledger.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'

const WORKER = 'worker-a'
const PENDING: StoredPart = {
  index: 0,
  rendering: 0,
  part: { kind: 'message', rung: 'rich', content: { text: 'hello' }, markdown: 'hello' },
  replaces: null,
  state: 'sending',
  attempt: 1,
  firstAttemptAtMs: 1_000,
  attemptAtMs: 1_000,
  messageId: null,
}

let database: TestDatabase
let ledger: Ledger
let number = 0

beforeAll(async () => {
  database = await createTestDatabase()
  ledger = createLedger(database.db, Date.now)
  await ledger.beat(WORKER)
})

afterAll(() => database.close())

async function installation(): Promise<string> {
  number += 1
  const id = `slack:T${number}`
  await database.db
    .insertInto('installations')
    .values({ id, platform: 'slack', tenant: `T${number}`, source: 'install' })
    .execute()
  return id
}

function delivery(installationId: string, channel: string, runId: string): NewDelivery {
  const wire = {
    runId,
    conversation: { platform: 'slack', channel, kind: 'channel' },
    outcome: { status: 'completed', output: 'hello' },
  }
  const laneKey = `${installationId}|${channel}|`
  number += 1
  return {
    id: `dlv_${number}`,
    installationId,
    laneKey,
    conversationKey: laneKey,
    conversationId: channel,
    run: parseRun(wire, { maxOutputBytes: 1_000_000 }),
    runHash: `hash of ${runId}`,
    producer: null,
    expiresAtMs: Date.now() + 3_600_000,
  }
}

/** Everything that is due, claimed and given back idle. */
async function claimAll(): Promise<readonly LaneClaim[]> {
  const all: LaneClaim[] = []
  for (;;) {
    const { lanes } = await ledger.claim({ workerId: WORKER, heldKeys: all.map(({ key }) => key) }, 64)
    all.push(...lanes)
    if (lanes.length === 0) return all
  }
}

async function release(lanes: readonly LaneClaim[]): Promise<void> {
  await Promise.all(lanes.map((lane) => ledger.write(WORKER, { lane, release: { kind: 'when_told' } })))
}

async function claimOne(accepted: NewDelivery): Promise<LaneClaim> {
  const lanes = await claimAll()
  const mine = lanes.find((lane) => lane.key === accepted.laneKey)
  await release(lanes.filter((lane) => lane !== mine))
  if (mine === undefined) throw new Error('the lane was not due')
  return mine
}

describe('acceptance', () => {
  test('the same run posted twenty times at once by two processes is one delivery', async () => {
    const id = await installation()
    const doors = [acceptanceLedger(database.db), acceptanceLedger(database.db)]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => doors[n % 2]?.accept(delivery(id, 'C1', 'run-twenty'))),
    )
    expect(new Set(answers.map((answer) => answer?.deliveryId)).size).toBe(1)
    expect(answers.filter((answer) => answer?.isNew)).toHaveLength(1)
  })

  test('one item the database refuses fails alone', async () => {
    const id = await installation()
    const { accept } = acceptanceLedger(database.db)
    const settled = await Promise.allSettled([
      accept(delivery(id, 'C1', 'good-1')),
      accept(delivery('slack:nobody', 'C1', 'bad')),
      accept(delivery(id, 'C1', 'good-2')),
    ])
    expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('a lane hands out its deliveries in the order they were accepted', async () => {
    const id = await installation()
    const { accept } = acceptanceLedger(database.db)
    const first = delivery(id, 'C1', 'order-1')
    await accept(first)
    await accept(delivery(id, 'C1', 'order-2'))
    const lane = await claimOne(first)
    const seen: string[] = []
    for (let head = await ledger.head(lane); head !== null; head = await ledger.head(lane)) {
      seen.push(head.run.runId)
      const patch = { state: 'delivered', settledAtMs: Date.now() } as const
      await ledger.write(WORKER, { lane, deliveryId: head.id, patch })
    }
    expect(seen).toEqual(['order-1', 'order-2'])
    await release([lane])
  })

  test('a large run does not come with the claim, and is whole when it is read', async () => {
    const id = await installation()
    const output = Array.from({ length: 40_000 }, (_, n) => `word${n * 7919}`).join(' ')
    const large = delivery(id, 'C1', 'large-1')
    const run = { ...large.run, outcome: { ...large.run.outcome, output } }
    await acceptanceLedger(database.db).accept({ ...large, run })
    const claimed = await claimLanes(database.db, {
      workerId: WORKER,
      heldKeys: [],
      limit: 64,
      cursor: '',
    })
    expect(claimed.lanes.find(({ lane }) => lane.key === large.laneKey)?.head).toBe('large')
    const lanes = claimed.lanes.map(({ lane }) => lane)
    const mine = lanes.filter(({ key }) => key === large.laneKey)
    const heads = await Promise.all(mine.map((lane) => ledger.head(lane)))
    expect(heads.map((head) => head?.run)).toEqual([run])
    await release(lanes)
  })

  test('what is accepted while a lane is worked on arms it for afterwards', async () => {
    const id = await installation()
    const { accept } = acceptanceLedger(database.db)
    const first = delivery(id, 'C1', 'arm-1')
    await accept(first)
    const lane = await claimOne(first)
    const head = await ledger.head(lane)
    await accept(delivery(id, 'C1', 'arm-2'))
    const patch = { state: 'delivered', settledAtMs: Date.now() } as const
    const settle = { lane, deliveryId: head?.id ?? '', patch }
    expect(await ledger.write(WORKER, { ...settle, release: { kind: 'if_idle' } })).toBe('written')
    await release([lane])
    expect((await ledger.head(await claimOne(first)))?.run.runId).toBe('arm-2')
  })
})

describe('claims', () => {
  test('an installation with one lane is not starved by one with hundreds', async () => {
    const [busy, quiet] = [await installation(), await installation()]
    const { accept } = acceptanceLedger(database.db)
    await release(await claimAll())
    await Promise.all(Array.from({ length: 300 }, (_, n) => accept(delivery(busy, `C${n}X`, `fair-${n}`))))
    await accept(delivery(quiet, 'C1', 'fair-quiet'))
    const { lanes } = await ledger.claim({ workerId: WORKER, heldKeys: [] }, 16)
    expect(lanes.map((lane) => lane.installationId)).toContain(quiet)
    await release(lanes)
    await release(await claimAll())
  })

  test('two workers never hold the same lane', async () => {
    const id = await installation()
    const { accept } = acceptanceLedger(database.db)
    await Promise.all(Array.from({ length: 100 }, (_, n) => accept(delivery(id, `C${n}Y`, `both-${n}`))))
    const other = createLedger(database.db, Date.now)
    await other.beat('worker-b')
    const [{ lanes: mine }, { lanes: theirs }] = await Promise.all([
      ledger.claim({ workerId: WORKER, heldKeys: [] }, 64),
      other.claim({ workerId: 'worker-b', heldKeys: [] }, 64),
    ])
    const keys = [...mine, ...theirs].map((lane) => lane.key)
    expect(new Set(keys).size).toBe(keys.length)
    await release(mine)
    await Promise.all(theirs.map((lane) => other.write('worker-b', { lane, release: { kind: 'when_told' } })))
    await release(await claimAll())
  })

  test('a head that came with an earlier claim is not given to a later owner', async () => {
    const id = await installation()
    const { accept } = acceptanceLedger(database.db)
    const first = delivery(id, 'C1', 'stale-1')
    await accept(first)
    await accept(delivery(id, 'C1', 'stale-2'))
    const lane = await claimOne(first)
    await database.db
      .updateTable('lanes')
      .set({ owner: null, epoch: lane.epoch + 1, ready_at: new Date() })
      .where('key', '=', lane.key)
      .execute()
    await database.db
      .updateTable('deliveries')
      .set({ state: 'delivered', settled_at: new Date() })
      .where('run_id', '=', 'stale-1')
      .execute()
    const again = await claimOne(first)
    expect((await ledger.head(again))?.run.runId).toBe('stale-2')
    await release([again])
  })
})

describe('fencing', () => {
  async function claimed(runId: string): Promise<{ readonly lane: LaneClaim; readonly deliveryId: string }> {
    const accepted = delivery(await installation(), 'C1', runId)
    await acceptanceLedger(database.db).accept(accepted)
    return { lane: await claimOne(accepted), deliveryId: accepted.id }
  }

  test('a write of an earlier epoch or another worker is lost and changes nothing', async () => {
    const { lane, deliveryId } = await claimed('fence-1')
    const write = { lane, deliveryId, patch: { state: 'delivering' }, parts: [PENDING] } as const
    expect(await ledger.write('worker-b', write)).toBe('lost')
    expect(await ledger.write(WORKER, { ...write, lane: { ...lane, epoch: lane.epoch - 1 } })).toBe('lost')
    expect((await ledger.head(lane))?.state).toBe('accepted')
    expect(await ledger.write(WORKER, write)).toBe('written')
    await release([lane])
  })

  test('a part keeps its payload when it is marked sent, and an older attempt cannot take it back', async () => {
    const { lane, deliveryId } = await claimed('fence-2')
    const patch = { state: 'delivering', plannedAtMs: Date.now() } as const
    await ledger.write(WORKER, { lane, deliveryId, patch, parts: [{ ...PENDING, attempt: 2 }] })
    const sent = { ...PENDING, attempt: 2, state: 'sent', messageId: '1.1' } as const
    expect(await ledger.write(WORKER, { lane, deliveryId, parts: [sent] })).toBe('written')
    expect(await ledger.write(WORKER, { lane, deliveryId, parts: [PENDING] })).toBe('lost')
    expect((await ledger.head(lane))?.parts).toEqual([sent])
    await release([lane])
  })

  test('a patch clears what it names as null and keeps what it does not name', async () => {
    const { lane, deliveryId } = await claimed('fence-3')
    const patch = { reason: 'ratelimited', anchor: '1.2', locale: 'de', tries: 3 }
    await ledger.write(WORKER, { lane, deliveryId, patch })
    await ledger.write(WORKER, { lane, deliveryId, patch: { anchor: null, tries: 0 } })
    const row = await database.db
      .selectFrom('deliveries')
      .select(['reason', 'anchor', 'locale', 'tries'])
      .where('id', '=', deliveryId)
      .executeTakeFirst()
    expect(row).toEqual({ reason: 'ratelimited', anchor: null, locale: 'de', tries: 0 })
    await release([lane])
  })

  test('the lanes of a worker that died are taken over with a new epoch', async () => {
    const { lane } = await claimed('reap-1')
    await database.db
      .updateTable('workers')
      .set({ seen_at: new Date(0) })
      .where('id', '=', WORKER)
      .execute()
    expect(await ledger.reap(3_000, 12_000)).toBeGreaterThan(0)
    await ledger.beat(WORKER)
    const lanes = await claimAll()
    expect(lanes.find((one) => one.key === lane.key)?.epoch).toBe(lane.epoch + 1)
    expect(await ledger.write(WORKER, { lane, release: { kind: 'when_told' } })).toBe('lost')
    await release(lanes)
  })
})
