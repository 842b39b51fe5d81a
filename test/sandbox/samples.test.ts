import { expect, test } from 'vitest'
import { CompletedRun } from '../../src/intake/schema.js'
import { SAMPLE_NAMES, samples } from '../../src/sandbox/samples.js'

const PLACES = {
  slack: {
    workspace: 'T000000001',
    channel: 'C000000001',
    thread: '1796045841.000002',
    directChannel: 'D724E389D4',
    userId: 'U000000001',
  },
  lark: {
    tenant: 'sandbox_tenant_1',
    userId: 'ou_a',
    groupChat: 'oc_a',
    directChat: 'oc_d',
    topicChat: 'oc_c',
    topic: 'omt_c',
    anchors: { group: 'om_a', direct: 'om_d', topic: 'om_c' },
  },
} as const

const ALL = samples(PLACES)

test('every sample is a run for each platform that the front door takes', () => {
  for (const name of SAMPLE_NAMES) {
    const runs = ALL[name]()
    expect(runs.map(({ conversation }) => conversation.platform)).toEqual(['slack', 'lark'])
    for (const run of runs) expect(CompletedRun.safeParse(run).error, run.runId).toBeUndefined()
  }
})

test('run ids are all different', () => {
  const ids = SAMPLE_NAMES.flatMap((name) => ALL[name]()).map(({ runId }) => runId)
  expect(new Set(ids).size).toBe(SAMPLE_NAMES.length * 2)
})

test('each sample is what its name says', () => {
  const summary = SAMPLE_NAMES.map((name) => {
    const run = ALL[name]()[0]
    const { status, output, partialOutput } = run?.outcome ?? {}
    return [name, run?.conversation.kind, status, output !== undefined, partialOutput !== undefined]
  })
  expect(summary).toEqual([
    ['answer', 'channel', 'completed', true, false],
    ['silent-channel', 'channel', 'completed', false, false],
    ['silent-direct', 'direct', 'completed', false, false],
    ['truncated', 'channel', 'truncated', false, true],
    ['failed', 'direct', 'failed', false, false],
    ['timeout', 'channel', 'timeout', false, true],
    ['long-chinese', 'channel', 'completed', true, false],
    ['code-and-table', 'channel', 'completed', true, false],
  ])
})

test('the long sample is longer than one message of either platform', () => {
  const output = ALL['long-chinese']()[0]?.outcome.output ?? ''
  expect(output.length).toBeGreaterThan(10_000)
  expect(Buffer.byteLength(output)).toBeGreaterThan(30 * 1024)
})
