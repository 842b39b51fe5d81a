import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

/** What each folder of `src/` may import besides itself and the shared root files. Data flows down this list. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  intake: ['contract'],
  render: ['contract'],
  deliver: ['contract', 'render'],
  receipts: ['contract', 'deliver'],
  observe: ['contract', 'deliver', 'receipts'],
  'platforms/slack': ['contract', 'render', 'deliver'],
  'platforms/lark': ['contract', 'render', 'deliver'],
  store: ['contract', 'intake', 'render', 'deliver', 'receipts', 'observe'],
  sandbox: [],
  web: [
    'contract',
    'intake',
    'render',
    'deliver',
    'receipts',
    'observe',
    'store',
    'platforms/slack',
    'platforms/lark',
  ],
  locales: ['contract'],
}

/** Root files that any folder may use. The contract and the sandbox stand alone and use none. */
const SHARED = new Set(['errors.ts', 'log.ts', 'locales.ts', 'config.ts'])
const ALONE = new Set(['contract', 'sandbox', 'locales'])
/** The store keeps what the platforms define: it may name their types, and run none of their code. */
const MAY_IMPORT_TYPES: Readonly<Record<string, readonly string[]>> = {
  store: ['platforms/slack', 'platforms/lark'],
}

/** Decided by reading only: no clock, no network, no database, no `node:` module. */
const PURE = /^(contract|render)\/|^platforms\/\w+\/(address|limits|classify|codes|render[\w-]*)\.ts$/
const IMPURE_WORDS = /\b(process\.env|Date\.now|new Date\(\)|Math\.random|setTimeout|fetch\()/

interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
  /** Those of `imports` that vanish when compiled. */
  readonly typeImports: readonly string[]
}

const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(SRC, path), 'utf8')
    const imports = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] ?? '')
    const typeImports = [...text.matchAll(/(?:import|export) type [^;]*?from\s*'([^']+)'/g)].map(
      (match) => match[1] ?? '',
    )
    return { path, text, imports, typeImports }
  })

function folderOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  if (!path.includes('/')) return ''
  return first === 'platforms' ? `${first}/${second}` : first
}

/** Where a relative import leads, as a path in `src/`, or null when it leaves it. */
function targetOf(source: Source, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  const path = relative(SRC, normalize(join(SRC, dirname(source.path), specifier)))
  return path.startsWith('..') ? null : path.replace(/\.js$/, '.ts')
}

function violations(source: Source): readonly string[] {
  const folder = folderOf(source.path)
  const allowed = MAY_IMPORT[folder]
  // The root and the commands put everything together.
  if (folder === '' || folder === 'commands' || folder === 'app') return []
  if (allowed === undefined) return [`${source.path}: no row for ${folder} in the import table`]
  return source.imports.flatMap((specifier) => {
    const target = targetOf(source, specifier)
    if (target === null) return []
    const to = folderOf(target)
    const isShared = to === '' && SHARED.has(target) && !ALONE.has(folder)
    const isType = source.typeImports.includes(specifier) && (MAY_IMPORT_TYPES[folder]?.includes(to) ?? false)
    return to === folder || allowed.includes(to) || isShared || isType
      ? []
      : [`${source.path} imports ${target}`]
  })
}

describe('the architecture', () => {
  test('every folder imports only what the table of the design lets it', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.flatMap(violations)).toEqual([])
  })

  test('the two platforms have the same named files at the border', () => {
    const filesOf = (name: string) => new Set(readdirSync(join(SRC, 'platforms', name)))
    for (const file of [
      'address.ts',
      'limits.ts',
      'render.ts',
      'classify.ts',
      'client.ts',
      'index.ts',
      'install.ts',
      'events.ts',
    ]) {
      expect([file, filesOf('slack').has(file), filesOf('lark').has(file)]).toEqual([file, true, true])
    }
  })

  test('what is pure has no clock, network, database, environment or node: module', () => {
    const impure = sources
      .filter((source) => PURE.test(source.path))
      .flatMap((source) => [
        ...source.imports
          .filter((name) => name.startsWith('node:'))
          .map((name) => `${source.path} imports ${name}`),
        ...(IMPURE_WORDS.test(source.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
          ? [`${source.path} is not pure`]
          : []),
      ])
    expect(impure).toEqual([])
  })

  test('process.env is read in main and config alone', () => {
    const readers = sources
      .filter((source) => source.text.includes('process.env'))
      .map((source) => source.path)
    expect(readers).toEqual(['main.ts'])
  })

  test('a planted violation is caught', () => {
    const planted: Source = {
      path: 'contract/x.ts',
      text: '',
      imports: ['../store/database.js'],
      typeImports: [],
    }
    const sibling: Source = {
      path: 'platforms/slack/x.ts',
      text: '',
      imports: ['../lark/index.js'],
      typeImports: [],
    }
    expect([violations(planted), violations(sibling)]).toEqual([
      ['contract/x.ts imports store/database.ts'],
      ['platforms/slack/x.ts imports platforms/lark/index.ts'],
    ])
  })
})
