import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../../dist/main.js')

/** One real Lastword process, as the package starts it. */
export interface RunningProcess {
  readonly url: string
  /** Tells it to stop and waits; the exit code. */
  stop(): Promise<number | null>
}

/** Starts `lastword serve` with these roles and settings, and waits until it listens. */
export async function startProcess(
  roles: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--role', roles], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await listening(child)
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await exited
      return typeof code === 'number' ? code : null
    },
  }
}

async function listening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new TypeError('the process has no output')
  for await (const chunk of child.stdout) {
    const address = /listens on (http:\S+)/.exec(String(chunk))?.[1]
    if (address !== undefined) {
      child.stdout.resume()
      return address
    }
  }
  throw new Error('the process ended before it listened')
}
