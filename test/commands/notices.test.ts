import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createProgram } from '../../src/commands/program.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { installBoth } from '../support/doors.js'

const folder = mkdtempSync(join(tmpdir(), 'lastword-notices-'))
const file = join(folder, 'notice.json')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await installBoth(database.db)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.close()
})

/** What the command prints. */
async function notices(...words: readonly string[]): Promise<string> {
  let printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += String(chunk)
    return true
  })
  const env = { DATABASE_URL: database.url, LASTWORD_LOG_LEVEL: 'silent' }
  await createProgram(env).parseAsync(['node', 'lastword', 'notices', ...words])
  return printed
}

function aFile(change: Record<string, unknown> = {}): string {
  const notice = {
    noticeId: 'n_1',
    conversation: { platform: 'slack', channel: 'C061EG9SL' },
    content: 'The build is done.',
    replyTo: 'task_7',
  }
  writeFileSync(file, JSON.stringify({ ...notice, ...change }))
  return file
}

describe('lastword notices', () => {
  test('add, list, show and cancel', async () => {
    expect(JSON.parse(await notices('add', aFile(), '--json'))).toMatchObject({
      noticeId: 'n_1',
      state: 'queued',
      producer: 'operator',
    })
    const list = await notices('list')
    expect(list.split('\n')[0]).toMatch(/^NOTICE\s+KIND\s+STATE\s+REPLY TO/)
    expect(list).toMatch(/^n_1\s+completion\s+queued\s+task_7/m)
    expect(await notices('show', 'n_1')).toMatch(/^state\s+queued$/m)
    expect(await notices('cancel', 'n_1')).toMatch(/^state\s+cancelled$/m)
    expect(JSON.parse(await notices('list', '--state', 'queued', '--json'))).toEqual([])
    expect(JSON.parse(await notices('list', '--state', 'cancelled', '--json'))).toHaveLength(1)
  })

  test('what the notice says is printed only where a program reads it', async () => {
    await notices('add', aFile({ noticeId: 'n_2' }))
    expect(await notices('show', 'n_2')).not.toContain('The build is done.')
    expect(await notices('show', 'n_2', '--json')).toContain('The build is done.')
  })

  const refused = [
    ['an unknown notice', ['show', 'nobody'], 'notice_not_found'],
    ['a notice that was withdrawn', ['cancel', 'n_3'], 'notice_not_queued'],
    ['a malformed notice', ['add', ''], 'invalid_notice'],
  ] as const
  test.each(refused)('%s is refused by its code', async (_name, words, code) => {
    await notices('add', aFile({ noticeId: 'n_3', state: 'completed' }))
    const bad = aFile({ noticeId: 7 })
    const given = words.map((word) => (word === '' ? bad : word))
    await expect(notices(...given)).rejects.toMatchObject({ code })
  })
})
