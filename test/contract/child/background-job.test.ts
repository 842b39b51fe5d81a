import { describe, expect, test } from 'vitest'
import { settleBackgroundJob } from '../../../src/contract/child/background-job.js'
import type { ChildEnding } from '../../../src/contract/child/result.js'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { stringField } from '../../../src/contract/json-object.js'
import { blocks, outputRows } from '../vectors/rows.js'

function endingOf(result: JsonObject): ChildEnding {
  const rejection = stringField(result, 'rejects')
  const diagnostic = stringField(result, 'diagnostic')
  return {
    disposalError: stringField(result, 'disposeRejects'),
    result:
      rejection !== null
        ? { kind: 'rejected', message: rejection }
        : {
            kind: 'settled',
            result: {
              output: blocks(result, 'output'),
              stopReason: stringField(result, 'stopReason') ?? '',
              ...(diagnostic === null ? {} : { diagnostic }),
            },
          },
  }
}

describe('background-job', () => {
  test.each(outputRows('background-job'))('$name', ({ result, expect: expected }) => {
    expect(settleBackgroundJob(endingOf(result ?? {}))).toEqual(expected.job)
  })

  test('a failed job keeps its diagnostic', () => {
    const result = { output: [], stopReason: 'error', diagnostic: 'safe fact' }
    expect(settleBackgroundJob({ result: { kind: 'settled', result }, disposalError: null })).toEqual({
      status: 'failed',
      reason: 'error',
      diagnostic: 'safe fact',
    })
  })
})
