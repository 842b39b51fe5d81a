import type { DeliveryEvent } from '../deliver/engine.js'
import { whyOf } from '../deliver/receipt.js'
import { LastwordError } from '../errors.js'
import { SAMPLE_NAMES, samples } from '../sandbox/samples.js'
import { postRun } from './send.js'
import type { Serving } from './serve.js'

/** One line of the demo's table. */
export interface DemoRow {
  readonly sample: string
  readonly platform: string
  readonly decision: string
  readonly why: string
  readonly landed: string
}

/** Longest wait for one sample, in ms; the sandbox answers in a few. */
const SAMPLE_DEADLINE_MS = 30_000

/** Sends every sample through the HTTP door and waits until each has its end. */
export async function runDemo(serving: Serving): Promise<readonly DemoRow[]> {
  const { sandbox } = serving
  if (sandbox === null)
    throw new LastwordError('usage', '--demo works in the sandbox: unset the platform settings')
  const ends = collectEnds(serving)
  const rows: DemoRow[] = []
  // A sample may be sent again and again: each time it is a new run.
  const serial = Date.now().toString(36)
  for (const sample of SAMPLE_NAMES) {
    for (const run of samples(sandbox.sandbox, serial)[sample]()) {
      const { deliveryId } = await postRun(serving.url, serving.apiKey, run)
      const end = await ends.of(deliveryId)
      rows.push({ sample, platform: end.platform, ...(await storyOf(serving, deliveryId, end)) })
    }
  }
  return rows
}

type End = Extract<DeliveryEvent, { kind: 'settled' }>

function collectEnds(serving: Serving): { of(deliveryId: string): Promise<End> } {
  const ended = new Map<string, End>()
  const waiting = new Map<string, (end: End) => void>()
  serving.app.onEvent((event) => {
    if (event.kind !== 'settled') return
    ended.set(event.deliveryId, event)
    waiting.get(event.deliveryId)?.(event)
  })
  return {
    of: (deliveryId) =>
      new Promise((done, fail) => {
        const known = ended.get(deliveryId)
        if (known !== undefined) return done(known)
        const late = setTimeout(
          () => fail(new LastwordError('internal', `${deliveryId} has no end yet`)),
          SAMPLE_DEADLINE_MS,
        )
        waiting.set(deliveryId, (end) => {
          clearTimeout(late)
          done(end)
        })
      }),
  }
}

async function storyOf(
  serving: Serving,
  deliveryId: string,
  end: End,
): Promise<Omit<DemoRow, 'sample' | 'platform'>> {
  const row = await serving.app.database.db
    .selectFrom('deliveries')
    .select(['decision', 'surface', 'conversation_id'])
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  const parts = await serving.app.database.db
    .selectFrom('parts')
    .select('message_id')
    .where('delivery_id', '=', deliveryId)
    .where('state', '=', 'sent')
    .orderBy('index')
    .execute()
  const landed =
    parts.length === 0
      ? `nowhere (${end.state})`
      : `${row.surface} ${row.conversation_id}: ${parts.length} message${parts.length === 1 ? '' : 's'}`
  return {
    decision: row.decision?.kind ?? end.state,
    why: whyOf(row.decision) ?? end.reason ?? 'answer',
    landed,
  }
}
