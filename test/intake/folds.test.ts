import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postRun } from '../../src/commands/send.js'
import { TRANSCRIPT_FORMATS } from '../../src/contract/index.js'
import { type FoldedTranscript, parseRun } from '../../src/intake/parse-run.js'
import { RUNS_QUEUE } from '../../src/intake/queue-jobs.js'
import { createLogger } from '../../src/log.js'
import { openBoss } from '../../src/store/boss.js'
import { TEST_KEY } from '../support/doors.js'
import { type Pipeline, startPipeline } from '../support/pipeline.js'
import { aRun } from '../support/runs.js'

const CANARY = 'canary'

/** A transcript with a canary wherever a transcript has words of its own. */
const TEXT = [
  { type: 'system', subtype: 'init', session_id: CANARY, model: CANARY, cwd: `/home/${CANARY}` },
  {
    type: 'assistant',
    message: {
      content: [
        { type: 'text', text: `${CANARY} https://host/${CANARY}?key=${CANARY}` },
        { type: 'tool_use', id: CANARY, name: CANARY, input: { env: { TOKEN: CANARY } } },
      ],
    },
  },
  { type: `https://host/${CANARY}`, text: CANARY },
  { type: 'result', subtype: 'success', is_error: false, session_id: CANARY, result: `${CANARY} is said` },
]
  .map((event) => JSON.stringify(event))
  .join('\n')

const EXIT = { exitCode: 0, stderr: `TOKEN=${CANARY}`, resume: CANARY }

describe('a transcript in place of an outcome', () => {
  let pipeline: Pipeline
  beforeAll(async () => {
    pipeline = await startPipeline()
  })
  afterAll(() => pipeline.close())

  const said = (channel: string) => pipeline.engine.slack.messages(channel).map(({ text }) => text)
  const transcribed = (runId: string, channel: string) => ({
    runId,
    conversation: { platform: 'slack', channel, kind: 'channel' },
    transcript: { format: 'claude', text: TEXT, exit: EXIT },
  })

  test('is folded at the HTTP door', async () => {
    const channel = pipeline.engine.channel()
    await pipeline.deliver(transcribed('http', channel))
    expect(said(channel)).toEqual([`${CANARY} is said`])
  })

  test('is folded when lastword send posts it', async () => {
    const channel = pipeline.engine.channel()
    const { deliveryId } = await postRun(pipeline.url, TEST_KEY, transcribed('send', channel))
    await pipeline.engine.settled(deliveryId)
    expect(said(channel)).toEqual([`${CANARY} is said`])
  })

  test('is folded off the queue', async () => {
    const channel = pipeline.engine.channel()
    const settled = new Promise<void>((resolve) =>
      pipeline.engine.app.onEvent((event) => {
        if (event.kind === 'settled' && event.runId === 'queue') resolve()
      }),
    )
    const boss = await openBoss(pipeline.engine.database.pool, createLogger('silent'))
    await boss.send(RUNS_QUEUE, transcribed('queue', channel))
    await settled
    await boss.stop({ graceful: false })
    expect(said(channel)).toEqual([`${CANARY} is said`])
  })
})

describe('the line that a fold leaves in the log', () => {
  function fold(transcript: object): readonly FoldedTranscript[] {
    const folded: FoldedTranscript[] = []
    const { outcome: _, ...run } = aRun({ runId: 'run_9' })
    const onFold = (one: FoldedTranscript) => void folded.push(one)
    parseRun({ ...run, transcript }, { maxOutputBytes: 1_000_000, onFold })
    return folded
  }

  test('is one for a transcript and none for an outcome', () => {
    expect(fold({ format: 'claude', text: TEXT })).toHaveLength(1)
    const folded: FoldedTranscript[] = []
    parseRun(aRun(), { maxOutputBytes: 1_000_000, onFold: (one) => void folded.push(one) })
    expect(folded).toEqual([])
  })

  test.each(TRANSCRIPT_FORMATS)('%s: has the run and counts, and nothing that anybody said', (format) => {
    for (const exit of [
      EXIT,
      { ...EXIT, exitError: CANARY },
      { ...EXIT, readError: CANARY, cancelled: true },
    ]) {
      const [line] = fold({ format, text: TEXT, exit })
      expect(line).toMatchObject({ runId: 'run_9', format })
      expect(JSON.stringify(line)).not.toContain(CANARY)
    }
  })

  test('a completed run whose stop reason is a tool call left over by old tools stays completed', () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Done.',
      stop_reason: 'tool_use',
    }
    const { outcome: _, ...run } = aRun()
    const parsed = parseRun(
      { ...run, transcript: { format: 'claude', events: [result] } },
      { maxOutputBytes: 1_000_000 },
    )
    expect(parsed.outcome).toMatchObject({ status: 'completed', output: 'Done.' })
    const told = parseRun(
      aRun({ outcome: { status: 'completed', stopReason: 'tool_use', output: 'Done.' } }),
      {
        maxOutputBytes: 1_000_000,
      },
    )
    expect(told.outcome).toMatchObject({ status: 'completed', output: 'Done.' })
  })
})
