import { openApp } from '../../../src/app/app.js'
import { parseConfig } from '../../../src/config.js'
import type { StepName } from '../../../src/deliver/steps.js'
import { createLogger } from '../../../src/log.js'
import { createTestDatabase } from '../database.js'
import { aRun, inLark, inParts, inSlack, PRODUCER } from '../engine.js'
import { startLarkFake } from '../lark/fake.js'
import { LARK } from '../lark/seed.js'
import { SLACK, startSlackFake } from '../slack/fake.js'
import { buildChild } from './run-child.js'

/** One death: the step, how many parts the answer has, and what else goes wrong so that the step is reached. */
export interface Cell {
  readonly step: StepName
  readonly parts: 1 | 2 | 5
  readonly occurrence?: number
  readonly afterMs?: number
  /** What meets the first call for the conversation. */
  readonly fault?: 'lost_answer' | 'rate_limit' | 'slow_answer' | 'lands_late'
}

/** Every step an answer of `parts` parts passes on this platform, with a death in the middle of the parts. */
export function cellsFor(platform: 'slack' | 'lark', parts: 1 | 2 | 5): readonly Cell[] {
  const middle = Math.ceil(parts / 2)
  const at = (step: StepName, more: Partial<Cell> = {}): Cell => ({ step, parts, ...more })
  return [
    at('claimed'),
    at('read'),
    at('planned'),
    ...(parts > 1 ? [at('frozen'), at('part_recorded', { occurrence: Math.max(1, middle - 1) })] : []),
    at('sending_recorded', { occurrence: middle }),
    at('calling', { occurrence: middle }),
    // The call was taken and its answer is on the way; or it is still on its way itself.
    at('calling', { afterMs: 60, fault: 'slow_answer' }),
    at('calling', { afterMs: 60, fault: 'lands_late' }),
    at('answered', { occurrence: middle }),
    at('answered', { occurrence: parts }),
    // Lark is asked again with the same key within its hour: there is no look-up.
    ...(platform === 'slack' ? [at('looked_up', { fault: 'lost_answer' })] : []),
    at('tidied'),
    at('settled'),
    at('released', { fault: 'rate_limit' }),
  ]
}

/** Every cell when `CRASH_MATRIX` is `all` (`npm run soak`), else the short form. */
export function cellsToTry(platform: 'slack' | 'lark'): readonly Cell[] {
  return process.env.CRASH_MATRIX === 'all'
    ? ([1, 2, 5] as const).flatMap((parts) => cellsFor(platform, parts))
    : shortForm(platform)
}

/** The short form: every step once, the numbers of parts taking turns, and the heart of it with all of them. */
function shortForm(platform: 'slack' | 'lark'): readonly Cell[] {
  const sizes = [1, 2, 5] as const
  const heart = new Set(['sending_recorded', 'answered'])
  const byMoment = new Map<string, Cell[]>()
  for (const cell of sizes.flatMap((parts) => cellsFor(platform, parts))) {
    const moment = `${cell.step} ${cell.fault} ${cell.afterMs}`
    byMoment.set(moment, [...(byMoment.get(moment) ?? []), cell])
  }
  return [...byMoment.values()].flatMap((cells, turn) => {
    const [first] = cells
    if (first !== undefined && heart.has(first.step))
      return sizes.flatMap((parts) => cells.find((cell) => cell.parts === parts) ?? [])
    return cells.slice(turn % cells.length, (turn % cells.length) + 1)
  })
}

/** What a conversation must show after it. */
export function expectedOf(cell: Cell): CellResult {
  return { cell, shown: Array.from({ length: cell.parts }, (_, n) => `part${n + 1}`), state: 'delivered' }
}

export interface CellResult {
  readonly cell: Cell
  /** Which parts the conversation shows, in the order they stand. */
  readonly shown: readonly string[]
  readonly state: string
}

const SETTLE_MS = '300'

/**
 * Lets one process after another die, each at its own cell's step in its own conversation, then one that lives finish
 * them all. The lanes of the dead are kept aside until then, so that each process meets its own conversation alone.
 */
export async function dieAndRecover(
  platform: 'slack' | 'lark',
  cells: readonly Cell[],
): Promise<readonly CellResult[]> {
  const child = await buildChild()
  const world = await openWorld(platform)
  const ids: string[] = []
  for (const [index, cell] of cells.entries()) {
    const place = world.place(index)
    world.script(place, cell)
    ids.push(await world.accept(place, cell.parts))
    await child.dieAt({ env: world.env, step: cell.step, occurrence: cell.occurrence, afterMs: cell.afterMs })
    await world.database.pool.query(
      `with dead as (delete from workers)
       update lanes set owner = null, epoch = epoch + 1, ready_at = 'infinity'
        where owner is not null or ready_at < 'infinity'`,
    )
  }
  await world.database.pool.query('update lanes set ready_at = now()')
  await world.finish(ids)
  const results = await Promise.all(
    cells.map(async (cell, index) => ({
      cell,
      shown: world.shown(world.place(index)),
      state: await world.state(ids[index] ?? ''),
    })),
  )
  await world.close()
  return results
}

async function openWorld(platform: 'slack' | 'lark') {
  const database = await createTestDatabase()
  const slack = await startSlackFake()
  const lark = await startLarkFake()
  const env = {
    DATABASE_URL: database.url,
    LASTWORD_PACING: 'off',
    LASTWORD_MAX_PARTS: '10',
    LASTWORD_SETTLE_MS: SETTLE_MS,
    LASTWORD_LOG_LEVEL: 'silent',
    ...(platform === 'slack'
      ? { SLACK_BOT_TOKEN: SLACK.token, SLACK_API_URL: slack.apiUrl }
      : {
          LARK_APP_ID: LARK.appId,
          LARK_APP_SECRET: LARK.appSecret,
          LARK_TENANT_KEY: LARK.tenant,
          LARK_BASE_URL: lark.url,
        }),
  }
  const intake = await openApp(parseConfig(env), createLogger('silent'), { roles: new Set(['intake']) })
  return {
    database,
    env,
    place: (index: number) =>
      platform === 'slack'
        ? `C0CRASH${String(index).padStart(3, '0')}`
        : `oc_${String(index).padStart(32, '0')}`,
    script(place: string, { fault }: Cell) {
      if (platform === 'slack') {
        slack.add({ channels: [{ id: place, team: SLACK.team, kind: 'public', members: [SLACK.botUser] }] })
        if (fault !== undefined)
          slack.faults.next({ method: 'chat.postMessage', channel: place }, SLACK_FAULTS[fault])
      } else {
        lark.addChat({ id: place, name: 'group', mode: 'group', bots: [LARK.appId] })
        const isHere = (call: { body: object }) => JSON.stringify(call.body).includes(place)
        if (fault !== undefined) lark.faults.next(isHere, LARK_FAULTS[fault])
      }
    },
    async accept(place: string, parts: number) {
      const conversation = platform === 'slack' ? inSlack(place) : inLark(place)
      const { deliveryId } = await intake.accept(aRun(conversation, inParts(parts, platform)), PRODUCER)
      return deliveryId
    },
    async finish(ids: readonly string[]) {
      const app = await openApp(parseConfig(env), createLogger('silent'), { callTimeoutMs: 3_000 })
      const missing = new Set(ids)
      await new Promise<void>((done, fail) => {
        const ended = (id: string) => missing.delete(id) && missing.size === 0 && done()
        app.onEvent((event) => event.kind === 'settled' && ended(event.deliveryId))
        // Some ended before anybody listened, or before their process died.
        const look = async () => {
          for (const id of ids) if (await isSettled(id)) ended(id)
        }
        look().catch(fail)
      })
      await app.close()
    },
    shown: (place: string) =>
      platform === 'slack'
        ? slack.messages(place).map(({ text }) => /part\d+/.exec(text)?.[0] ?? '?')
        : lark.messages(place).map(({ content }) => /part\d+/.exec(content)?.[0] ?? '?'),
    async state(id: string) {
      const { rows } = await database.pool.query<{ state: string }>(
        'select state from deliveries where id = $1',
        [id],
      )
      return rows[0]?.state ?? 'lost'
    },
    async close() {
      await intake.close()
      await Promise.all([slack.close(), lark.close()])
      await database.close()
    },
  }

  async function isSettled(id: string): Promise<boolean> {
    const { rows } = await database.pool.query(
      'select 1 from deliveries where id = $1 and settled_at is not null',
      [id],
    )
    return rows.length > 0
  }
}

const SLACK_FAULTS = {
  lost_answer: { kind: 'reset', when: 'after' },
  rate_limit: { kind: 'rate_limit', retryAfter: '1' },
  slow_answer: { kind: 'slow', delayMs: 400, commit: 'now' },
  lands_late: { kind: 'late_commit', delayMs: 200 },
} as const

const LARK_FAULTS = {
  lost_answer: { kind: 'commit_then_drop' },
  rate_limit: { kind: 'rate_limit', resetSeconds: 1 },
  slow_answer: { kind: 'slow_answer', ms: 400 },
  lands_late: { kind: 'drop_then_commit', ms: 200 },
} as const
