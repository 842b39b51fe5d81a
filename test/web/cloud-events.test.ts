import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_COMPLETED_TYPE } from '../../src/intake/cloud-event.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { answerOf, installBoth, startTestService, type TestService } from '../support/doors.js'
import { aRun } from '../support/runs.js'

let database: TestDatabase
let service: TestService

beforeAll(async () => {
  database = await createTestDatabase()
  await installBoth(database.db)
  service = await startTestService(database.db)
})
afterAll(async () => {
  await service.close()
  await database.close()
})

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const ATTRIBUTES = { specversion: '1.0', id: 'e-1', source: '/agents/1', type: RUN_COMPLETED_TYPE }
const STRUCTURED = { 'content-type': 'application/cloudevents+json; charset=utf-8' }

function structured(change: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...ATTRIBUTES, data: aRun({ runId: 'structured' }), ...change })
}

/** An attribute that is changed to '' is left out. */
function binary(change: Record<string, string> = {}): Record<string, string> {
  const given = Object.fromEntries(Object.entries(ATTRIBUTES).map(([name, value]) => [`ce-${name}`, value]))
  return Object.fromEntries(Object.entries({ ...given, ...change }).filter(([, value]) => value !== ''))
}

async function runOf(response: Response) {
  const { deliveryId } = await answerOf(response)
  const row = await database.db
    .selectFrom('deliveries')
    .select('run')
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  return row.run
}

describe('CloudEvents at the door', () => {
  test('a structured event is the run in its data', async () => {
    const response = await service.post(structured({ traceparent: TRACE }), STRUCTURED)
    expect(response.status).toBe(202)
    expect(await runOf(response)).toMatchObject({ runId: 'structured', traceparent: TRACE })
  })

  test('a structured event may carry its data as base64', async () => {
    const data_base64 = Buffer.from(JSON.stringify(aRun({ runId: 'base64' }))).toString('base64')
    const response = await service.post(structured({ data: undefined, data_base64 }), STRUCTURED)
    expect(await runOf(response)).toMatchObject({ runId: 'base64' })
  })

  test('a binary event is the run in the body', async () => {
    const headers = binary({ 'ce-traceparent': TRACE, 'ce-source': '/agents/%E2%9C%93' })
    const response = await service.post(JSON.stringify(aRun({ runId: 'binary' })), headers)
    expect(response.status).toBe(202)
    expect(await runOf(response)).toMatchObject({ runId: 'binary', traceparent: TRACE })
  })

  test('the same run as an event and as a plain body is one delivery', async () => {
    const run = aRun({ runId: 'both' })
    await service.post(JSON.stringify(run))
    const again = await service.post(structured({ data: run, id: 'another' }), STRUCTURED)
    expect([again.status, (await answerOf(again)).isNew]).toEqual([200, false])
  })

  const refused: readonly [string, string, Record<string, string>, number, string][] = [
    ['another type', structured({ type: 'com.example.other' }), STRUCTURED, 400, '/type'],
    ['another version', structured({ specversion: '0.3' }), STRUCTURED, 400, '/specversion'],
    ['no source', structured({ source: undefined }), STRUCTURED, 400, '/source'],
    [
      'data that is not JSON',
      structured({ datacontenttype: 'text/xml' }),
      STRUCTURED,
      400,
      '/datacontenttype',
    ],
    ['a list', '[]', STRUCTURED, 400, ''],
    ['no data', structured({ data: undefined }), STRUCTURED, 400, ''],
    ['another type in a header', JSON.stringify(aRun()), binary({ 'ce-type': 'x' }), 400, 'ce-type'],
    ['no id in a header', JSON.stringify(aRun()), binary({ 'ce-id': '' }), 400, 'ce-id'],
  ]
  test.each(refused)('%s is refused at its place', async (_name, body, headers, status, path) => {
    const response = await service.post(body, headers)
    const problem = await answerOf(response)
    expect([response.status, problem.code]).toEqual([status, 'invalid_run'])
    expect(problem.errors.map((fault) => fault.path)).toContain(path)
  })

  test('a batch is not taken', async () => {
    const response = await service.post('[]', { 'content-type': 'application/cloudevents-batch+json' })
    expect(response.status).toBe(415)
  })
})
