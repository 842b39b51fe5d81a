import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { renderSlack } from '../../../src/platforms/slack/render.js'
import type { Plan } from '../../../src/render/part.js'
import { corpusContext, readCorpus } from './read.js'

const DOCUMENTS = readCorpus()
/** Longer text is shown by its ends: a snapshot is there to be read. */
const SHOWN_CHARS = 1_500

/** A plan as stable text: content that is a JSON string is opened up so that a change can be read. */
function snapshotOf(plan: Plan): string {
  const parts = plan.parts.map((part) =>
    part.kind === 'file' ? part : { ...part, content: opened(part.content) },
  )
  return `${JSON.stringify({ ...plan, parts }, (_, value: unknown) => (typeof value === 'string' ? shortened(value) : value), 2)}\n`
}

function opened(content: Readonly<Record<string, unknown>>): unknown {
  return typeof content.content === 'string' ? { ...content, content: JSON.parse(content.content) } : content
}

function shortened(text: string): string {
  if (text.length <= SHOWN_CHARS) return text
  const [start, end] = [text.slice(0, SHOWN_CHARS / 2), text.slice(-SHOWN_CHARS / 2)]
  return `${start} … ${text.length - start.length - end.length} more characters … ${end}`.replaceAll(
    /\p{Surrogate}/gu,
    '\ufffd',
  )
}

test('the corpus is as large as we say', () => expect(DOCUMENTS.length).toBeGreaterThanOrEqual(60))

describe.each(DOCUMENTS)('$name', ({ name, message }) => {
  test('in Slack', async () => {
    const plan = renderSlack(message, corpusContext('slack'))
    await expect(snapshotOf(plan)).toMatchFileSnapshot(
      join(import.meta.dirname, `snapshots/${name}.slack.json`),
    )
  })

  test('in Lark', async () => {
    const plan = renderLark(message, corpusContext('lark'))
    await expect(snapshotOf(plan)).toMatchFileSnapshot(
      join(import.meta.dirname, `snapshots/${name}.lark.json`),
    )
  })
})
