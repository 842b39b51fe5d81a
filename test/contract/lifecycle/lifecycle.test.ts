import { describe, expect, test } from 'vitest'
import type { ChildResult } from '../../../src/contract/child/result.js'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { isJsonObject, stringField } from '../../../src/contract/json-object.js'
import type { EndEvent, LifecycleEvent } from '../../../src/contract/lifecycle/event.js'
import { LifecycleInvariants } from '../../../src/contract/lifecycle/invariants.js'
import type { LifecycleListener, ListenerFailure } from '../../../src/contract/lifecycle/lifecycle.js'
import { createLifecycle } from '../../../src/contract/lifecycle/lifecycle.js'
import type { AcceptedRun } from '../../../src/contract/lifecycle/observe-run.js'
import { observeRun } from '../../../src/contract/lifecycle/observe-run.js'
import { relayEnd } from '../../../src/contract/lifecycle/relay.js'
import type { OutputRow } from '../vectors/rows.js'
import { blocks, child, outputRows } from '../vectors/rows.js'

const COMPLETED: ChildResult = { output: [], stopReason: 'completed' }

function resultOf(result: unknown): Promise<ChildResult> {
  if (result === 'rejects') return Promise.reject(new Error('transport gone'))
  if (!isJsonObject(result)) return Promise.resolve(COMPLETED)
  const diagnostic = stringField(result, 'diagnostic')
  return Promise.resolve({
    output: blocks(result, 'output'),
    stopReason: stringField(result, 'stopReason') ?? 'completed',
    ...(diagnostic === null ? {} : { diagnostic }),
  })
}

function startOf(input: JsonObject): Promise<AcceptedRun> {
  if (input.start === 'pending') return new Promise(() => {})
  if (input.start === 'rejects' || input.creation === 'rejects') return Promise.reject(new Error('refused'))
  const result = input.epochs === undefined ? resultOf(input.result) : Promise.resolve(COMPLETED)
  return Promise.resolve({ id: 'child-1', local: input.localAgent !== false, result })
}

const UNPRINTABLE = {
  toString(): string {
    throw new Error('no text')
  },
}

function listenerOf(name: unknown, recorded: LifecycleEvent[]): LifecycleListener {
  if (name === 'records') return (event) => recorded.push(event)
  if (name === 'rejects') return () => Promise.reject(new Error('listener failed'))
  return () => {
    throw name === 'throws-unprintable' ? UNPRINTABLE : new Error('listener failed')
  }
}

/** Runs what a row asks for and waits until every settled promise has been observed. */
async function observeRow({ input = {} }: OutputRow) {
  const events: LifecycleEvent[] = []
  const recorded: LifecycleEvent[] = []
  const failures: ListenerFailure[] = []
  const inParentScope: string[] = []
  const lifecycle = createLifecycle({ onListenerError: (failure) => failures.push(failure) })
  lifecycle.subscribe((event) => events.push(event))
  lifecycle.subscribe(() => inParentScope.push('parent'), 'parent')
  lifecycle.subscribe(() => inParentScope.push('elsewhere'), 'elsewhere')
  for (const name of Array.isArray(input.listeners) ? input.listeners : []) {
    lifecycle.subscribe(listenerOf(name, recorded))
  }
  let runCount = 0
  const newRunId = (): string => {
    runCount += 1
    return `run-${runCount}`
  }
  const count = typeof input.starts === 'number' ? input.starts : 1
  for (let index = 0; index < count; index += 1) {
    void observeRun(lifecycle, {
      provider: 'spawn',
      scope: 'parent',
      start: () => startOf(input),
      newRunId,
    }).catch(() => undefined)
  }
  await settled()
  return { events, recorded, failures, inParentScope }
}

/** Lets every promise that is already settled report. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

const isObserved = (row: OutputRow): boolean => !/^(invariant|SDK server)/.test(row.name)

describe('lifecycle', () => {
  test.each(outputRows('lifecycle').filter(isObserved))('$name', async (row) => {
    const { events, recorded, failures, inParentScope } = await observeRow(row)
    const { expect: expected } = row
    const end = events.find((event): event is EndEvent => event.edge === 'end')
    if (expected.edges !== undefined) expect(events.map((event) => event.edge)).toEqual(expected.edges)
    if (expected.sameRunId === true) expect(events[0]?.runId).toBe(events[1]?.runId)
    if (Array.isArray(expected.endHas)) {
      expect(Object.keys(end ?? {}).sort()).toEqual(['edge', ...expected.endHas].sort())
      expect(end?.lastAssistantMessage).toEqual(expected.output)
    }
    if (Array.isArray(expected.startHas)) {
      expect(Object.keys(events[0] ?? {}).sort()).toEqual(['edge', ...expected.startHas].sort())
    }
    if (expected.stopReason !== undefined) expect(end?.stopReason).toBe(expected.stopReason)
    if (expected.lastAssistantMessagePresent === false) expect(end).not.toHaveProperty('lastAssistantMessage')
    if (expected.diagnosticPresent === false) expect(end).not.toHaveProperty('diagnostic')
    if (expected.local !== undefined) expect(events.map(({ local }) => local)).toEqual([false, false])
    if (expected.distinctRunIds !== undefined) {
      expect(new Set(events.map(({ runId }) => runId)).size).toBe(expected.distinctRunIds)
    }
    if (expected.scope !== undefined) expect(inParentScope).toEqual(expected.scope)
    if (expected.warnings !== undefined) {
      // The row watches one edge; each of ours fails and is recorded on its own.
      const starts = failures.filter(({ edge }) => edge === 'start')
      expect(starts).toHaveLength(Number(expected.warnings))
      expect(recorded.filter(({ edge }) => edge === 'start')).toHaveLength(Number(expected.recorded))
      expect(starts[0]?.message === 'unprintable error').toBe(expected.warningUsesPlaceholder === true)
    }
  })

  test.each(outputRows('lifecycle').filter((row) => row.name.startsWith('SDK server')))(
    '$name',
    ({ input = {}, expect: expected }) => {
      const relayed = relayEnd(
        {
          edge: 'end',
          runId: 'run-1',
          provider: 'spawn',
          id: 'child-1',
          local: input.local === true,
          stopReason: stringField(input, 'stopReason') ?? 'completed',
        },
        { isCutOk: false },
      )
      expect(relayed !== null).toBe(expected.forwarded)
      if (expected.status !== undefined) expect(relayed?.status).toBe(expected.status)
    },
  )

  test('SDK server: a cut answer is ok only when the host asked for that', () => {
    const end = {
      edge: 'end',
      runId: 'r',
      provider: 'p',
      id: 'c',
      local: true,
      stopReason: 'max-tokens',
    } as const
    expect([true, false].map((isCutOk) => relayEnd(end, { isCutOk })?.status)).toEqual(['ok', 'error'])
  })

  test('a listener that rejects is reported and does not stop the next one', async () => {
    const failures: ListenerFailure[] = []
    const recorded: LifecycleEvent[] = []
    const lifecycle = createLifecycle({ onListenerError: (failure) => failures.push(failure) })
    lifecycle.subscribe(listenerOf('rejects', recorded))
    lifecycle.subscribe(listenerOf('records', recorded))
    lifecycle.start({ runId: 'run-1', provider: 'spawn', id: 'child-1', local: true })
    await settled()
    expect(failures).toEqual([{ edge: 'start', runId: 'run-1', message: 'listener failed' }])
    expect(recorded).toHaveLength(1)
  })

  test('an error sink that throws is contained', () => {
    const recorded: LifecycleEvent[] = []
    const lifecycle = createLifecycle({
      onListenerError: () => {
        throw new Error('sink failed')
      },
    })
    lifecycle.subscribe(listenerOf('throws', recorded))
    lifecycle.subscribe(listenerOf('records', recorded))
    lifecycle.start({ runId: 'run-1', provider: 'spawn', id: 'child-1', local: true })
    expect(recorded).toHaveLength(1)
  })

  test('a listener that was removed hears nothing more', () => {
    const recorded: LifecycleEvent[] = []
    const lifecycle = createLifecycle({ onListenerError: () => undefined })
    const unsubscribe = lifecycle.subscribe((event) => recorded.push(event))
    lifecycle.start({ runId: 'run-1', provider: 'spawn', id: 'child-1', local: true })
    unsubscribe()
    lifecycle.end('run-1', { stopReason: 'completed' })
    expect(recorded.map(({ edge }) => edge)).toEqual(['start'])
  })

  test('an event cannot be changed by a listener', () => {
    const lifecycle = createLifecycle({ onListenerError: () => undefined })
    const frozen: boolean[] = []
    lifecycle.subscribe((event) => frozen.push(Object.isFrozen(event)))
    lifecycle.start({ runId: 'run-1', provider: 'spawn', id: 'child-1', local: true })
    lifecycle.end('run-1', { stopReason: 'completed', lastAssistantMessage: 'done' })
    expect(frozen).toEqual([true, true])
  })
})

describe('invariants', () => {
  const rows = outputRows('lifecycle').filter((row) => row.name.startsWith('invariant'))
  test.each(rows)('$name', ({ input = {}, expect: expected }) => {
    expect(() => checkRow(input)).toThrow(String(expected.invariantError))
  })

  test('a run id may start again once it has ended', () => {
    const invariants = new LifecycleInvariants()
    const run = { runId: 'run-1', provider: 'spawn', id: 'child-1', local: true }
    invariants.check({ edge: 'start', ...run })
    invariants.check({ edge: 'end', ...run, stopReason: 'completed' })
    expect(() => invariants.check({ edge: 'start', ...run })).not.toThrow()
  })

  test('an end that drifts leaves the run open', () => {
    const invariants = new LifecycleInvariants()
    const run = { runId: 'run-1', provider: 'spawn', id: 'child-1', local: true }
    invariants.check({ edge: 'start', ...run })
    expect(() => invariants.check({ edge: 'end', ...run, local: false, stopReason: 'completed' })).toThrow(
      'diverges',
    )
    expect(invariants.findOpen('run-1')).toEqual(run)
  })
})

function checkRow(input: JsonObject): void {
  const invariants = new LifecycleInvariants()
  const run = { runId: 'run-1', provider: 'spawn', id: 'child-1', local: true }
  const field = (name: 'runId' | 'provider' | 'id'): string => stringField(input, name) ?? run[name]
  const drifting = { ...run, runId: field('runId'), provider: field('provider'), id: field('id') }
  const end = { edge: 'end', ...drifting, stopReason: 'completed' } as const
  const name = child({ provider: input }, 'provider').name
  switch (input.edge) {
    case 'start':
      if (input.repeat === true) invariants.check({ edge: 'start', ...run })
      invariants.check({ edge: 'start', ...drifting })
      return
    case 'end':
      invariants.check({ edge: 'start', ...run })
      if (input.afterEnd === true) invariants.check(end)
      invariants.check(end)
      return
    case 'provider-added':
      if (input.repeat === true) invariants.addProvider('spawn')
      invariants.addProvider(typeof name === 'string' ? name : 'spawn')
      return
    default:
      invariants.removeProvider(typeof name === 'string' ? name : 'spawn')
  }
}
