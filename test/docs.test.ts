import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../src/commands/program.js'
import { RIGHTS } from '../src/intake/producer.js'
import { MIGRATIONS } from '../src/store/migrations/index.js'
import { DELIVERY_STATES } from '../src/store/tables.js'
import { ENV_EXAMPLE, envExample, README, readmeWithTables, settings } from './support/docs.js'

const readme = readFileSync(README, 'utf8')

describe('the documents say what the code does', () => {
  test('the README has every setting and every error code (npm run docs writes them)', () => {
    expect(readmeWithTables(readme)).toBe(readme)
  })

  test('.env.example has every setting', () => {
    expect(readFileSync(ENV_EXAMPLE, 'utf8')).toBe(envExample())
  })

  test('every setting says what it is', () => {
    expect(settings().filter(({ description }) => description === '')).toEqual([])
  })

  test('the README has every command, and no other', () => {
    const commands = createProgram({}).commands.map((command) => command.name())
    const documented = [...readme.matchAll(/^\| `lastword ([a-z]+)/gm)].map((match) => match[1])
    expect([...new Set(documented)].sort()).toEqual([...commands].sort())
  })
})

const ROOT = join(import.meta.dirname, '..')
/** Every Markdown file that is ours, as a path from the root. */
const documents = readdirSync(ROOT, { withFileTypes: true })
  .flatMap((entry) => {
    if (entry.isFile()) return [entry.name]
    if (!['ops', 'src'].includes(entry.name)) return []
    const inside = readdirSync(join(ROOT, entry.name), { recursive: true, encoding: 'utf8' })
    return inside.map((path) => join(entry.name, path))
  })
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** Headings as links name them. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Relative links that lead nowhere. */
function brokenLinks({ path, text }: (typeof documents)[number]): readonly string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file)
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
    })
    .map((link) => `${path}: ${link}`)
}

describe('every document', () => {
  test('has links that lead somewhere', () => {
    expect(documents.length).toBeGreaterThan(6)
    expect(documents.flatMap(brokenLinks)).toEqual([])
    const planted = { path: 'README.md', text: '[a](missing.md) [b](CONTRIBUTING.md#nowhere)' }
    expect(brokenLinks(planted)).toHaveLength(2)
  })

  test('names no path of the machine it was written on', () => {
    const personal = /(?:^|[\s`"'(=])\/(?:home|root|Users|work|tmp|mnt)\//m
    expect(documents.filter(({ text }) => personal.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('is reached from the README', () => {
    const linked = [...readme.matchAll(/\]\(([^)\s#]+)/g)].map((match) => match[1])
    const others = documents.map(({ path }) => path).filter((path) => path !== 'README.md')
    expect(others.filter((path) => !linked.includes(path))).toEqual([])
  })
})

describe('the operating guide', () => {
  const guide = readFileSync(join(ROOT, 'src/deliver/README.md'), 'utf8')

  test('says of every alert what it means, and of no other', () => {
    const alerts = [
      ...readFileSync(join(ROOT, 'ops/alerts.yaml'), 'utf8').matchAll(/^\s*- alert: (\w+)$/gm),
    ].map((match) => match[1])
    const described = [...guide.matchAll(/^### (Lastword\w+)\n\n(?=\S)/gm)].map((match) => match[1])
    expect(alerts.length).toBeGreaterThan(5)
    expect([...described].sort()).toEqual([...alerts].sort())
  })

  test('has every state of a delivery and of a part', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1])
    expect(DELIVERY_STATES.filter((state) => !rows.includes(state))).toEqual([])
  })
})

test('the page of the database names every table of ours', () => {
  const page = readFileSync(join(ROOT, 'src/store/README.md'), 'utf8')
  const made = MIGRATIONS.flatMap(({ sql }) =>
    [...sql.matchAll(/create table (\w+)/g)].map((match) => match[1]),
  )
  expect(made.length).toBeGreaterThan(10)
  expect(made.filter((table) => !page.includes(`\`${table}\``))).toEqual([])
})

test('the page of security names every right of a key', () => {
  const page = readFileSync(join(ROOT, 'src/web/README.md'), 'utf8')
  expect(RIGHTS.filter((right) => !page.includes(`| \`${right}\` |`))).toEqual([])
})

test('CONTRIBUTING has a row for every folder of the sources', () => {
  const table = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(folders.filter((name) => !new RegExp(`^\\|.*\`${name}(?:/|\`)`, 'm').test(table))).toEqual([])
})
