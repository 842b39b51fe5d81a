import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../src/commands/program.js'
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
