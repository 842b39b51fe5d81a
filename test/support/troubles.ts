import type { Database } from '../../src/store/database.js'

const HOUR_MS = 3_600_000

export interface Troubles {
  /** A delivery that is dead after a refusal, a wait and a look-up. */
  readonly dead: string
  /** One that waits, in a parked installation. */
  readonly parked: string
  readonly parkedInstallation: string
}

const RUN = {
  attempt: 1,
  trigger: { kind: 'user', requester: 'U2147483697', via: 'slack', noticeId: null },
  taskKind: 'chat',
  locale: 'en',
  runUrl: 'https://agents.example.com/runs/run_trouble',
  mentions: [],
  supersededBy: null,
  retryPending: false,
  finishedAtMs: null,
  expiresAtMs: null,
  acknowledgement: null,
  buttons: [],
  traceparent: null,
}

const OUTCOME = {
  status: 'completed',
  stopReason: 'end_turn',
  output: 'The **migration** is done.',
  partialOutput: null,
  errorCode: null,
  diagnostic: null,
}

const BLOCKS = [
  { type: 'context', elements: [{ type: 'plain_text', text: 'Cut off by the output limit.' }] },
  { type: 'markdown', text: 'The **migration** is done.\n\n- users\n- orders' },
  {
    type: 'actions',
    elements: [{ type: 'button', action_id: 'continue', text: { type: 'plain_text', text: 'Continue' } }],
  },
]

/** What goes wrong in life: a parked workspace with a run that waits, a delivery that was given up, a closed gate. */
export async function addTroubles(db: Database): Promise<Troubles> {
  const installation = 'slack:T0TROUBLE01'
  const ids = { dead: `dlv_${hexNow(2 * HOUR_MS)}dead`, parked: `dlv_${hexNow(HOUR_MS)}park` }
  await db
    .insertInto('installations')
    .values({
      id: installation,
      platform: 'slack',
      tenant: 'T0TROUBLE01',
      name: 'Acme Robotics',
      source: 'install',
      state: 'parked',
      state_code: 'token_revoked',
      state_at: before(HOUR_MS),
      credentials_expire_at: before(HOUR_MS),
      refresh_code: 'invalid_refresh_token',
      scopes: ['chat:write', 'files:write', 'im:write'],
    })
    .execute()
  await addDelivery(db, {
    id: ids.dead,
    runId: 'run_trouble',
    installation,
    state: 'dead',
    ageMs: 2 * HOUR_MS,
  })
  await addDelivery(db, {
    id: ids.parked,
    runId: 'run_waiting',
    installation,
    state: 'parked',
    ageMs: HOUR_MS,
  })
  await addJournal(db, ids.dead)
  await db
    .insertInto('gates')
    .values({
      scope: `${installation}:C061EG9SL`,
      installation_id: installation,
      not_before: before(-90_000),
      code: 'rate_limited',
    })
    .execute()
  return { ...ids, parkedInstallation: installation }
}

async function addDelivery(
  db: Database,
  given: {
    readonly id: string
    readonly runId: string
    readonly installation: string
    readonly state: 'dead' | 'parked'
    readonly ageMs: number
  },
): Promise<void> {
  const isEnded = given.state === 'dead'
  const run = {
    ...RUN,
    runId: given.runId,
    conversation: {
      platform: 'slack',
      workspace: 'T0TROUBLE01',
      place: { kind: 'conversation', id: 'C061EG9SL' },
      thread: null,
      surface: 'channel',
    },
    outcome: OUTCOME,
  }
  await db
    .insertInto('deliveries')
    .values({
      id: given.id,
      lane_key: `${given.installation}:C061EG9SL`,
      installation_id: given.installation,
      run_id: given.runId,
      attempt: 1,
      conversation_key: `${given.installation}:C061EG9SL`,
      producer: 'platform',
      run: JSON.stringify(run),
      run_hash: given.id,
      state: given.state,
      reason: isEnded ? 'invalid_blocks' : 'token_revoked',
      decision: JSON.stringify({ kind: 'relay', text: OUTCOME.output }),
      surface: 'channel',
      locale: 'en',
      locale_from: 'conversation',
      conversation_id: 'C061EG9SL',
      accepted_at: before(given.ageMs),
      planned_at: before(given.ageMs - 1_000),
      settled_at: isEnded ? before(given.ageMs - 60_000) : null,
      expires_at: before(given.ageMs - 24 * HOUR_MS),
      unknown_count: isEnded ? 1 : 0,
    })
    .execute()
  const content = { text: 'The migration is done.', blocks: BLOCKS, unfurl_links: false, unfurl_media: false }
  const part = { kind: 'message', rung: 'rich', content, markdown: OUTCOME.output }
  await db
    .insertInto('parts')
    .values({
      delivery_id: given.id,
      index: 0,
      part: JSON.stringify(part),
      replaces: null,
      state: isEnded ? 'failed' : 'pending',
      attempt: isEnded ? 3 : 0,
    })
    .execute()
}

async function addJournal(db: Database, id: string): Promise<void> {
  const calls = [
    { method: 'chat.postMessage', outcome: 'rate_limited', code: 'rate_limited', wait_ms: 30_000 },
    { method: 'chat.postMessage', outcome: 'unknown', code: 'timeout', wait_ms: null },
    { method: 'find', outcome: 'look_up_absent', code: null, wait_ms: null },
    { method: 'chat.postMessage', outcome: 'content', code: 'invalid_blocks', wait_ms: null },
  ]
  for (const [at, call] of calls.entries()) {
    const started = 2 * HOUR_MS - 5_000 - at * 15_000
    await db
      .insertInto('attempts')
      .values({
        delivery_id: id,
        part_index: 0,
        number: at + 1,
        started_at: before(started),
        ended_at: before(started - 240),
        vendor_log_id: call.outcome === 'content' ? 'req-7f3a9' : null,
        worker: null,
        ...call,
      })
      .execute()
  }
  const receipt = await db
    .insertInto('receipts')
    .values({
      kind: 'delivery.dead',
      delivery_id: id,
      installation_id: 'slack:T0TROUBLE01',
      producer: 'platform',
      body: JSON.stringify({ decision: 'relay', why: null, reason: 'invalid_blocks' }),
      created_at: before(2 * HOUR_MS - 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('webhook_endpoints')
    .values({
      id: 'whk_platform',
      url: 'https://agents.example.com/hooks',
      state: 'disabled',
      secret: 'sealed',
      state_code: null,
      created_by: null,
      kinds: null,
      installation_ids: null,
      failing_since: null,
      not_before: null,
      last_success_at: null,
    })
    .execute()
  await db
    .insertInto('webhook_messages')
    .values({
      endpoint_id: 'whk_platform',
      receipt_id: receipt.id,
      state: 'failed',
      attempts: 9,
      due_at: before(HOUR_MS),
      ended_at: before(HOUR_MS),
      code: '503',
      claimed_until: null,
      claimed_by: null,
    })
    .execute()
}

function before(agoMs: number): Date {
  return new Date(Date.now() - agoMs)
}

/** Ids begin with the time of acceptance. */
function hexNow(agoMs: number): string {
  return (Date.now() - agoMs).toString(16).padStart(12, '0').padEnd(28, '0')
}
