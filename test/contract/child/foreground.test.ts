import { describe, expect, test } from 'vitest'
import type { ForegroundResult } from '../../../src/contract/child/foreground.js'
import { finishChild, renderForeground } from '../../../src/contract/child/foreground.js'
import type { ChildResult } from '../../../src/contract/child/result.js'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { stringField } from '../../../src/contract/json-object.js'
import type { OutputRow } from '../vectors/rows.js'
import { blocks, outputRows } from '../vectors/rows.js'

function resultOf(result: JsonObject | undefined): ChildResult {
  const diagnostic = result === undefined ? null : stringField(result, 'diagnostic')
  return {
    output: blocks(result, 'output'),
    stopReason: (result === undefined ? null : stringField(result, 'stopReason')) ?? 'completed',
    ...(diagnostic === null ? {} : { diagnostic }),
  }
}

function sectionsOf(rendered: ForegroundResult): unknown {
  if (rendered.kind === 'answer') return [{ section: 'body', text: rendered.text }]
  if (rendered.kind === 'broken') return rendered.errors
  return rendered.sections.map((section) =>
    section.section === 'headline'
      ? { section: 'headline', reason: section.headline.reason, names: section.headline.names }
      : section,
  )
}

async function finishRow(row: OutputRow) {
  let disposeCount = 0
  const isResultLost = row.input?.result === 'reject'
  const isDisposalLost = row.input?.dispose === 'reject'
  const ending = await finishChild({
    result: isResultLost
      ? Promise.reject(new Error('result failure'))
      : Promise.resolve(resultOf(row.result)),
    dispose: () => {
      disposeCount += 1
      return isDisposalLost ? Promise.reject(new Error('disposal failure')) : Promise.resolve()
    },
  })
  return { rendered: renderForeground(ending), disposeCount }
}

describe('foreground-render', () => {
  test.each(outputRows('foreground-render'))('$name', async (row) => {
    const { rendered, disposeCount } = await finishRow(row)
    expect(rendered.isError).toBe(row.expect.isError)
    expect(disposeCount).toBe(1)
    if (row.expect.sections !== undefined) expect(sectionsOf(rendered)).toEqual(row.expect.sections)
    if (row.expect.contains !== undefined) expect(sectionsOf(rendered)).toEqual(row.expect.contains)
  })

  test('the text holds headline, diagnostic and partial text in that order', () => {
    const result = {
      output: [{ type: 'text', text: 'half' }],
      stopReason: 'max-tokens',
      diagnostic: 'safe fact',
    }
    expect(renderForeground({ result: { kind: 'settled', result }, disposalError: null }).text).toBe(
      'The agent ran out of room before it finished (max-tokens).\n\nDiagnostic: safe fact\n\nPartial output:\nhalf',
    )
  })

  test('an empty diagnostic is still present', () => {
    const result = { output: [], stopReason: 'error', diagnostic: '' }
    const rendered = renderForeground({ result: { kind: 'settled', result }, disposalError: null })
    expect(rendered.text).toBe('The agent failed (error).\n\nDiagnostic: ')
  })
})
