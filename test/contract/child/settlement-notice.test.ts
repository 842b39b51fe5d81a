import { describe, expect, test } from 'vitest'
import type { WorkEvent } from '../../../src/contract/child/consumed-work.js'
import { accountForWork } from '../../../src/contract/child/consumed-work.js'
import type { SettledEpoch } from '../../../src/contract/child/settlement-notice.js'
import {
  routeNotice,
  sendSettlementNotice,
  settlementNotice,
} from '../../../src/contract/child/settlement-notice.js'
import { childStopReason } from '../../../src/contract/child-stop-reason.js'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { isJsonObject, stringField } from '../../../src/contract/json-object.js'
import { finalAssistantOutput } from '../../../src/contract/selection/fold.js'
import { blocks, outputRows } from '../vectors/rows.js'

const BODY_WORDS = {
  closing: 'closing-label + output blocks',
  no_closing_message: 'no-closing-message statement',
} as const

function workOf(turn: JsonObject): readonly WorkEvent[] {
  const number = Number(turn.n)
  const steps: readonly WorkEvent[] = turn.stepped === false ? [] : [{ kind: 'step_start', turn: number }]
  return [
    { kind: 'turn_start', turn: number },
    { kind: 'claim' },
    ...steps,
    { kind: 'turn_end', turn: number, reason: stringField(turn, 'end') ?? '' },
  ]
}

function epochOf(input: JsonObject): SettledEpoch {
  if (!Array.isArray(input.turns)) {
    return {
      stopReason: stringField(input, 'stopReason') ?? 'completed',
      output: blocks(input, 'output'),
      isTeardownFailed: input.teardownFailed === true,
    }
  }
  const turns: readonly JsonObject[] = input.turns.filter(isJsonObject)
  const dropped: readonly WorkEvent[] = input.droppedUnrun === true ? [{ kind: 'cancel_pending' }] : []
  const work = accountForWork([...turns.flatMap(workOf), ...dropped])
  const said = turns.flatMap((turn) => (typeof turn.text === 'string' ? [turn.text] : []))
  return {
    stopReason: childStopReason({
      source: 'continuable',
      turnEnd: work.turnEnd,
      isWorkDropped: work.isDroppedUnrun,
    }),
    output: finalAssistantOutput(
      said.map((text) => ({ kind: 'assistant_message', content: [{ type: 'text', text }] })),
    ),
    isTeardownFailed: false,
  }
}

describe('settlement-notice', () => {
  test.each(outputRows('settlement-notice'))('$name', ({ input = {}, expect: expected }) => {
    const notice = settlementNotice(epochOf(input))
    const sent: unknown[] = []
    const warnings: string[] = []
    const deliver = (delivered: unknown): void => {
      if (input.deliveryThrows === true) throw new Error('parent gone')
      sent.push(delivered)
    }
    sendSettlementNotice(notice, deliver, (message) => warnings.push(message))

    expect(notice.body.kind === 'closing' ? notice.body.output : null).toEqual(expected.output)
    if (expected.headline !== undefined) expect(notice.headline).toBe(expected.headline)
    if (expected.body !== undefined) expect(BODY_WORDS[notice.body.kind]).toBe(expected.body)
    if (expected.summaryHasOutput === false) expect(notice.summary).not.toContain('closing')
    if (expected.notices !== undefined) expect(sent).toHaveLength(Number(expected.notices))
    if (expected.warnings !== undefined) expect(warnings).toHaveLength(Number(expected.warnings))
    if (expected.route !== undefined) {
      expect(routeNotice(input.parent === 'idle' ? 'idle' : 'running')).toBe(expected.route)
    }
  })

  test('a parent that is closing is told without being woken, one that is gone is not told', () => {
    expect([routeNotice('closing'), routeNotice('gone')]).toEqual(['inject-without-waking', 'drop'])
  })

  test('an unknown stop reason ended abnormally', () => {
    const epoch = { stopReason: 'frobnicated', output: null, isTeardownFailed: false }
    expect(settlementNotice(epoch).headline).toBe('ended-abnormally')
  })
})

describe('consumed-work', () => {
  test.each(outputRows('consumed-work'))('$name', ({ events, expect: expected }) => {
    const { accountingTurn, isDroppedUnrun } = accountForWork(events as readonly WorkEvent[])
    expect({ accountingTurn, droppedUnrun: isDroppedUnrun }).toEqual({
      accountingTurn: expected.accountingTurn,
      droppedUnrun: expected.droppedUnrun,
    })
  })
})
