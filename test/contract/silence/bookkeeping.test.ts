import { describe, expect, test } from 'vitest'
import type { ContentBlock } from '../../../src/contract/content.js'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { isJsonObject, stringField } from '../../../src/contract/json-object.js'
import { recordReply } from '../../../src/contract/silence/bookkeeping.js'
import type { ContextEntry } from '../../../src/contract/silence/context.js'
import { projectContext } from '../../../src/contract/silence/context.js'
import { settleMessage, steeringInput } from '../../../src/contract/silence/delivery.js'
import { blocks, child, silenceRows } from '../vectors/rows.js'
import { playRow } from './run-row.js'

describe('bookkeeping', () => {
  test.each(silenceRows('bookkeeping'))('$name', (row) => {
    const [report] = playRow(row)
    const records = (report?.effects ?? []).map((effect, index) =>
      recordReply(effect, {
        text: '',
        isLastInState: row.sequence[index]?.lastStateMessageIsAnother !== true,
      }),
    )
    const last = records.at(-1)
    const { persistedRow, runtimeEntryAppended, agentStateHoldsAssistant, agentStateTouched } = row.expect
    if (persistedRow !== undefined) {
      const { status, text, isVisible } = last?.row ?? {}
      expect({ status, text, visible: isVisible }).toEqual(persistedRow)
    }
    if (runtimeEntryAppended !== undefined) expect(last?.isLogged).toBe(runtimeEntryAppended)
    if (agentStateHoldsAssistant !== undefined) expect(last?.isKeptInState).toBe(agentStateHoldsAssistant)
    if (agentStateTouched !== undefined) expect(last?.removesLast).toBe(agentStateTouched)
    const rows = records.flatMap((record) => (record.row === null ? [] : [record.row.status]))
    if (row.expect.emptyRowsPersisted !== undefined) {
      expect(rows.filter((status) => status === 'complete')).toHaveLength(
        Number(row.expect.emptyRowsPersisted),
      )
      expect(rows.filter((status) => status === 'error')).toHaveLength(Number(row.expect.errorRowsPersisted))
    }
  })
})

function entryOf(entry: JsonObject): ContextEntry {
  if (entry.role === 'user') return { role: 'user', text: stringField(entry, 'text') ?? '' }
  if (entry.role === 'compaction') return { role: 'compaction', retainedTail: entriesOf(entry.retainedTail) }
  const content: readonly ContentBlock[] = blocks(entry, 'contentBlocks')
  return { role: 'assistant', stop: stringField(entry, 'stop') ?? '', content }
}

function entriesOf(entries: unknown): readonly ContextEntry[] {
  return Array.isArray(entries) ? entries.filter(isJsonObject).map(entryOf) : []
}

describe('context-projection', () => {
  test.each(silenceRows('context-projection'))('$name', ({ sequence, expect: expected }) => {
    const context = projectContext(entriesOf(sequence[0]?.entries))
    expect(context.map(({ role }) => role)).toEqual(expected.contextRoles)
  })
})

describe('delivery', () => {
  test.each(silenceRows('delivery'))('$name', (row) => {
    const { expect: expected, provenance } = row
    const [step] = row.sequence
    if (step?.step === 'steering_accepted') {
      const input = steeringInput({ text: 'wait', origin: { kind: 'completion' } })
      expect(input).toEqual({ text: 'wait', origin: expected.steeringOrigin })
      return
    }
    const isTask = step?.step === 'task_settles'
    const outcome = isTask ? ({ kind: 'complete' } as const) : playRow(row)[0]?.state.outcome
    if (outcome === null || outcome === undefined) throw new TypeError('the row must end its run')
    const message = {
      id: stringField(provenance ?? {}, isTask ? 'replyToMessageId' : 'messageId') ?? '',
      kind: stringField(provenance ?? {}, 'kind') ?? '',
    }
    const before = { ...message }
    const settlement = settleMessage(message, outcome, isTask && step.notifyOnCompletion === true)
    if (expected.deliveryStatus !== undefined) expect(settlement.state).toBe(expected.deliveryStatus)
    if (expected.error !== undefined) expect(settlement.error).toBe(expected.error)
    if (expected.callbacks !== undefined)
      expect(Number(settlement.callback !== null)).toBe(expected.callbacks)
    if (expected.requests !== undefined) expect(playRow(row)[0]?.requests).toBe(expected.requests)
    if (expected.originalTaskResultChanged !== undefined) expect(message).toEqual(before)
    if (expected.callback === undefined) return
    const { kind, replyTo, notifyOnCompletion } = settlement.callback ?? {}
    expect({ kind, replyToMessageId: replyTo, notifyOnCompletion }).toEqual(child(expected, 'callback'))
  })

  test('a completion notice never leads to another', () => {
    const settlement = settleMessage({ id: 'msg-1', kind: 'completion' }, { kind: 'complete' }, true)
    expect(settlement.callback).toBeNull()
  })
})
