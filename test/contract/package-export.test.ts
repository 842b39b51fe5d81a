import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as source from '../../src/contract/index.js'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The package as it is shipped, in a folder from which nothing else can be reached. */
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lastword-package-'))
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  const config = {
    extends: join(ROOT, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: join(ROOT, 'src'),
      outDir: join(folder, 'dist'),
      sourceMap: false,
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [join(ROOT, 'src/contract')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.json')])
})
afterAll(() => rmSync(folder, { recursive: true }))

async function inThePackage(script: string): Promise<unknown> {
  writeFileSync(join(folder, 'probe.mjs'), script)
  const { stdout } = await run(process.execPath, ['probe.mjs'], { cwd: folder })
  return JSON.parse(stdout)
}

test('lastword/contract is an export of the built package, and needs nothing else', async () => {
  const names = await inThePackage(`
    import * as contract from 'lastword/contract'
    console.log(JSON.stringify(Object.keys(contract).sort()))`)
  expect(names).toEqual(Object.keys(source).sort())
})

test('a producer folds a transcript with it', async () => {
  const settled = await inThePackage(`
    import { settleTranscript, toOutcome } from 'lastword/contract'
    const text = '{"type":"result","subtype":"success","is_error":false,"result":"Done."}\\n'
    console.log(JSON.stringify(toOutcome(settleTranscript({ format: 'claude', text, exit: { exitCode: 0 } }))))`)
  expect(settled).toMatchObject({ status: 'completed', output: 'Done.', partialOutput: null })
})

test('nothing of it is for Node alone', () => {
  const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:js|d\.ts)$/.test(file),
  )
  expect(files.length).toBeGreaterThan(80)
  for (const file of files) {
    const foreign = [
      ...readFileSync(join(folder, 'dist', file), 'utf8').matchAll(
        /^(?:import|export)\b.*\bfrom '([^.'][^']*)'/gm,
      ),
    ]
    expect([file, foreign.map(([, specifier]) => specifier)]).toEqual([file, []])
  }
})
