import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../../src/log.js'
import { attachEmbedded, startEmbedded } from '../../src/store/embedded.js'

const log = createLogger('silent')
const CHILD = join(import.meta.dirname, '../support/embedded-child.ts')
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lastword-embedded-'))
})
afterEach(async () => {
  const left = await attachEmbedded(folder)
  if (left !== null) await (await startEmbedded(folder, log)).stop()
  await rm(folder, { recursive: true, force: true })
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function postmasterOf(): Promise<number> {
  return Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

async function startChild() {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) if (String(chunk).includes('started')) break
  return child
}

describe('the embedded Postgres', () => {
  test('keeps its data over a stop and a start, syncs to disk, listens on loopback alone', async () => {
    const first = await startEmbedded(folder, log)
    await query(first.url, 'create table kept as select 42 as answer')
    expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    await first.stop()
    const second = await startEmbedded(folder, log)
    expect(await query(second.url, 'select * from kept')).toEqual([{ answer: 42 }])
    await second.stop()
  })

  test('its password is in a file that only its owner reads, and nobody gets in without', async () => {
    const { url, stop } = await startEmbedded(folder, log)
    expect(((await stat(join(folder, 'postgres-password'))).mode & 0o777).toString(8)).toBe('600')
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await stop()
  })

  test('a second Lastword on the folder is refused by name', async () => {
    const child = await startChild()
    await expect(startEmbedded(folder, log)).rejects.toMatchObject({ code: 'data_dir_in_use' })
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  })

  test('a server that outlived its killed parent is adopted', async () => {
    const child = await startChild()
    const postmaster = await postmasterOf()
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    const adopted = await startEmbedded(folder, log)
    expect(await postmasterOf()).toBe(postmaster)
    expect(await query(adopted.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
    await adopted.stop()
    expect(await attachEmbedded(folder)).toBeNull()
  })

  test('a killed server recovers with what was committed', async () => {
    const first = await startEmbedded(folder, log)
    await query(first.url, 'create table kept as select 7 as answer')
    process.kill(await postmasterOf(), 'SIGKILL')
    await rm(join(folder, 'lastword.pid'))
    const second = await startEmbedded(folder, log)
    expect(await query(second.url, 'select * from kept')).toEqual([{ answer: 7 }])
    await second.stop()
  })
})
