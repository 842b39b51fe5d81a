#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { CommanderError } from 'commander'
import { createProgram } from './commands/program.js'
import { ERRORS, LastwordError } from './errors.js'
import { describeError } from './log.js'

/** Prints an error as a person reads it and returns the exit code documented for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ERRORS.usage.exitCode
  if (error instanceof LastwordError) {
    process.stderr.write(`lastword: ${error.message}\n`)
    if (!error.message.includes('\n')) {
      for (const { path, expected } of error.faults) process.stderr.write(`  ${path}: expected ${expected}\n`)
    }
    return ERRORS[error.code].exitCode
  }
  process.stderr.write(`lastword: ${ERRORS.internal.summary}: ${JSON.stringify(describeError(error))}\n`)
  return ERRORS.internal.exitCode
}

/** `.env` in the working folder, without overriding what the environment says. */
async function readDotEnv(): Promise<Record<string, string>> {
  const source = await readFile('.env', 'utf8').catch(() => '')
  return Object.fromEntries(
    source
      .split('\n')
      .map((line) => /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line))
      .filter((match) => match !== null)
      .map((match) => [match[1] ?? '', (match[2] ?? '').replace(/^(['"])(.*)\1$/, '$2')]),
  )
}

try {
  const env = { ...(await readDotEnv()), ...process.env }
  await createProgram(env).parseAsync(process.argv)
} catch (error) {
  process.exitCode = report(error)
}
