import { describe, expect, test } from 'vitest'
import type { ChildEnd } from '../../src/contract/child-stop-reason.js'
import { childStopReason } from '../../src/contract/child-stop-reason.js'
import type { JsonObject } from '../../src/contract/json-object.js'
import { stringField } from '../../src/contract/json-object.js'
import { outputRows } from './vectors/rows.js'

function endOf(backend: string | undefined, input: JsonObject): ChildEnd {
  const turnEnd = stringField(input, 'turnEnd')
  const isCancelled = input.cancelled === true
  const isTransportLost = input.rejects === true
  switch (backend) {
    case 'in-process': {
      const structured = input.captured === true ? 'captured' : 'missing'
      return { source: 'in-process', turnEnd, isCancelled, ...(input.schema === true ? { structured } : {}) }
    }
    case 'sdk':
      return { source: 'sdk', turnEnd, isCancelled, isTransportLost }
    case 'acp':
      return { source: 'acp', reason: stringField(input, 'reason'), isCancelled, isTransportLost }
    case 'continuable':
      return {
        source: 'continuable',
        turnEnd,
        isWorkDropped: input.droppedUnrun === true,
        isTeardownFailed: input.teardownFailed === true,
      }
    default:
      throw new TypeError(`no such backend: ${backend}`)
  }
}

describe('stop-reason', () => {
  test.each(outputRows('stop-reason'))('$name', ({ backend, input, expect: expected }) => {
    expect(childStopReason(endOf(backend, input ?? {}))).toBe(expected.stopReason)
  })

  test.each([
    {
      name: 'in-process: blocked is a refusal',
      end: { source: 'in-process', turnEnd: 'blocked' },
      stopReason: 'refusal',
    },
    {
      name: 'in-process: interrupted is an error',
      end: { source: 'in-process', turnEnd: 'interrupted' },
      stopReason: 'error',
    },
    {
      name: 'acp: a turn limit is an error',
      end: { source: 'acp', reason: 'max_turn_requests' },
      stopReason: 'error',
    },
    {
      name: 'continuable: a completed turn with work dropped after it was stopped',
      end: { source: 'continuable', turnEnd: 'completed', isWorkDropped: true },
      stopReason: 'aborted',
    },
    {
      name: 'continuable: a recorded failure beats a drop',
      end: { source: 'continuable', turnEnd: 'error', isWorkDropped: true },
      stopReason: 'error',
    },
  ] as const)('$name', ({ end, stopReason }) => {
    expect(childStopReason(end)).toBe(stopReason)
  })
})
