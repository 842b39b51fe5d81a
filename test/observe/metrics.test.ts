import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCodeLabel, OTHER_CODE } from '../../src/observe/codes.js'
import { ledgerGap } from '../../src/observe/gauges.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { readReadiness } from '../../src/observe/readiness.js'
import { readLedgerGauges } from '../../src/store/ledger-gauges.js'
import { type ApiUnderTest, startApi } from '../support/api.js'
import { aRun, inLark, inSlack, LARK_INSTALLATION, SLACK_INSTALLATION } from '../support/engine.js'

let api: ApiUnderTest

beforeAll(async () => {
  api = await startApi({})
})
afterAll(async () => {
  await api.close()
})

async function get(path: string) {
  const response = await fetch(`${api.url}${path}`)
  return { status: response.status, text: await response.text() }
}

/** The value of one line of the text, or null. */
async function figure(line: string): Promise<number | null> {
  const { text } = await get('/metrics')
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return found === undefined ? null : Number(found.slice(line.length + 1))
}

const set = (state: string) =>
  api.engine.database.pool.query('update installations set state = $1 where id = $2', [
    state,
    LARK_INSTALLATION,
  ])

describe('/metrics', () => {
  test('counts what is accepted, decided, sent and ended', async () => {
    await api.engine.deliver(aRun(inSlack(api.engine.channel())))
    const silent = { outcome: { status: 'completed', output: '' } }
    await api.engine.deliver(aRun(inSlack(api.engine.channel()), silent))
    const lines: readonly (readonly [string, number])[] = [
      ['lastword_runs_accepted_total{platform="slack"}', 2],
      ['lastword_decisions_total{platform="slack",decision="relay",why=""}', 1],
      ['lastword_decisions_total{platform="slack",decision="drop",why="silent_channel"}', 1],
      ['lastword_messages_sent_total{platform="slack"}', 1],
      ['lastword_deliveries_ended_total{platform="slack",state="delivered"}', 1],
      ['lastword_deliveries_ended_total{platform="slack",state="dropped"}', 1],
      ['lastword_accept_to_visible_seconds_count{platform="slack"}', 1],
      ['lastword_up', 1],
      ['lastword_ledger_gap', 0],
    ]
    for (const [line, value] of lines) expect([line, await figure(line)]).toEqual([line, value])
  })

  test('the same run again is not counted', async () => {
    const run = aRun(inSlack(api.engine.channel()))
    await api.engine.deliver(run)
    const before = await figure('lastword_runs_accepted_total{platform="slack"}')
    await api.engine.accept(run)
    expect(await figure('lastword_runs_accepted_total{platform="slack"}')).toBe(before)
  })

  test('a retry is counted under its code', async () => {
    const channel = api.engine.channel()
    api.engine.slack.faults.next('chat.postMessage', { kind: 'error', code: 'service_unavailable' })
    const { deliveryId } = { deliveryId: (await api.engine.accept(aRun(inSlack(channel))))[0] ?? '' }
    await api.engine.quiet()
    await api.engine.pass(60_000)
    await api.engine.settled(deliveryId)
    expect(await figure('lastword_retries_total{platform="slack",code="service_unavailable"}')).toBe(1)
  })

  test('shows the oldest answer that is owed, parked installations and closed gates', async () => {
    const { pool } = api.engine.database
    const [id] = await api.engine.accept(aRun(inLark(api.engine.group()), {}))
    await api.engine.settled(id ?? '')
    await set('parked')
    await api.engine.accept(aRun(inLark(api.engine.group())))
    await pool.query(
      `insert into gates (scope, installation_id, not_before, code) values ($1, $1, now() + interval '1 hour', 'ratelimited')`,
      [SLACK_INSTALLATION],
    )
    const [held] = await api.engine.accept(aRun(inSlack(api.engine.channel())))
    await pool.query(`update deliveries set accepted_at = now() - interval '10 minutes' where id = $1`, [
      held,
    ])
    const gauges = await readLedgerGauges(api.engine.database.db)
    expect(gauges).toMatchObject({
      open: 2,
      gatesClosed: { slack: 1, lark: 0 },
      parkedInstallations: { slack: 0, lark: 1 },
    })
    expect(gauges.oldestMs.lark).toBeNull()
    expect(Math.round((gauges.oldestMs.slack ?? 0) / 60_000)).toBe(10)
    // A closed gate is no stuck worker.
    expect(gauges.lateLaneMs).toBe(0)
    await pool.query('delete from gates')
    await set('active')
  })

  test('no label carries an id, and no line carries text of a run', async () => {
    await api.engine.deliver(aRun(inSlack(api.engine.channel()), { runId: 'run_private' }))
    expect((await get('/metrics')).text).not.toMatch(/run_private|dlv_|C0TEST/)
  })
})

describe('DUP-07: a reply that was lost between being taken in and being told', () => {
  test('accepted minus delivered, dropped, dead and expired is what is open', async () => {
    const { check } = await readLedgerGauges(api.engine.database.db)
    expect(check.accepted).toBeGreaterThan(0)
    expect(ledgerGap(check)).toBe(0)
  })

  test('a delivery that ended and was never told of shows as a gap', async () => {
    const { deliveryId } = await api.engine.deliver(aRun(inSlack(api.engine.channel())))
    const { pool } = api.engine.database
    const { rows } = await pool.query('delete from receipts where delivery_id = $1 returning *', [deliveryId])
    expect(rows).toHaveLength(1)
    expect(ledgerGap((await readLedgerGauges(api.engine.database.db)).check)).toBe(1)
    await pool.query('delete from deliveries where id = $1', [deliveryId])
    expect(ledgerGap((await readLedgerGauges(api.engine.database.db)).check)).toBe(0)
  })
})

describe('the set of labels is bounded', () => {
  const label = createCodeLabel(['ratelimited', '230020'])
  test.each([
    ['ratelimited', 'ratelimited'],
    ['230020', '230020'],
    ['timeout', 'timeout'],
    ['ECONNRESET', 'econnreset'],
    ['http_503', 'http_503'],
    ['http_999', OTHER_CODE],
    ['a code that nobody knows', OTHER_CODE],
    [null, OTHER_CODE],
  ])('%s is counted as %s', (code, expected) => {
    expect(label(code)).toBe(expected)
  })
})

describe('probes', () => {
  test('/healthz answers while the process does, /readyz while it works', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' })
    expect(await get('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
  })

  const fine = {
    pingDatabase: async () => null,
    pingQueue: async () => null,
    readGauges: async () => ({ lateLaneMs: 0 }),
    stuckMs: 1_000,
    timeoutMs: 50,
  }
  const never = () => new Promise<never>(() => undefined)
  const fails = async () => Promise.reject(new TypeError('down'))
  test.each([
    ['all is well', {}, []],
    [
      'the database is down',
      { pingDatabase: fails, pingQueue: fails, readGauges: fails },
      ['database_unreachable'],
    ],
    ['the database hangs', { pingDatabase: never }, ['database_unreachable']],
    ['the queue has no tables', { pingQueue: fails }, ['queue_unreachable']],
    ['nobody works', { readGauges: async () => ({ lateLaneMs: 1_001 }) }, ['work_stuck']],
  ])('%s', async (_name, change, expected) => {
    expect(await readReadiness({ ...fine, ...change })).toEqual(expected)
  })

  test('without its database the figures of the database are left out, and lastword_up is 0', async () => {
    const metrics = createMetrics({
      readGauges: fails,
      activeLanes: () => 3,
      codeLabel: () => OTHER_CODE,
      now: Date.now,
      withProcess: false,
    })
    const text = await metrics.render()
    expect(text).toContain('lastword_up 0')
    expect(text).toContain('lastword_lanes_active 3')
    expect(text).not.toMatch(/^lastword_oldest_undelivered_seconds\{/m)
  })
})
