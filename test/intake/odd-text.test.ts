import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { acceptor, EVERYWHERE, installBoth } from '../support/doors.js'
import { aRun } from '../support/runs.js'

/** What Postgres refuses in jsonb: U+0000 and halves of surrogate pairs. */
const ODD = 'a\u0000b\ud800c\udc00\uffff \\u0000 "'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await installBoth(database.db)
})
afterAll(() => database.close())

test.each([
  ['output', { outcome: { status: 'completed', output: ODD, stopReason: ODD, errorCode: ODD } }],
  [
    'blocks',
    { outcome: { status: 'completed', output: [{ type: ODD, text: ODD, [ODD]: { deep: [ODD] } }] } },
  ],
  ['failure', { outcome: { status: 'failed', partialOutput: ODD, error: ODD, diagnostic: ODD } }],
  ['language and trace', { locale: ODD, traceparent: ODD }],
  ['link, half a pair', { links: { run: 'https://agents.example.com/\ud800' } }],
  ['link, NUL', { links: { run: 'https://agents.example.com/\u0000x' } }],
  ['transcript', { outcome: undefined, transcript: { format: 'claude', text: ODD, exit: { stderr: ODD } } }],
])('text that no database keeps is taken in without it: %s', async (name, change) => {
  const runId = `odd-${name.replaceAll(/\W/g, '-')}`
  const accepted = await acceptor(database.db)(aRun({ runId, ...change }), EVERYWHERE)
  expect(accepted.isNew).toBe(true)
})
