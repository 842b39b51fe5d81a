import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../src/config.js'
import { ERRORS } from '../../src/errors.js'

const ROOT = join(import.meta.dirname, '../..')

interface Setting {
  readonly name: string
  readonly description: string
  readonly fallback: string
}

/** What the settings schema says of itself. */
export function settings(): readonly Setting[] {
  return Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const parsed = schema.safeParse(undefined)
    const fallback = parsed.success && parsed.data !== undefined ? parsed.data : null
    return { name, description: schema.description ?? '', fallback: fallbackText(fallback) }
  })
}

function fallbackText(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return ''
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return String(value)
}

export function settingsTable(): string {
  const rows = settings().map(
    ({ name, description, fallback }) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`,
  )
  return ['| name | default | what it is |', '| --- | --- | --- |', ...rows].join('\n')
}

export function errorsTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, error]) => `| \`${code}\` | ${error.status} | ${error.exitCode} | ${error.summary} |`,
  )
  return ['| code | HTTP | exit | means |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** `.env.example`: every setting, commented out, with its default. */
export function envExample(): string {
  const lines = settings().map(
    ({ name, description, fallback }) => `# ${description.replaceAll('`', '')}\n# ${name}=${fallback}\n`,
  )
  return `# Every setting; remove the # of those you need.\n\n${lines.join('\n')}`
}

/** The README with its tables as the code has them now. */
export function readmeWithTables(readme: string): string {
  const tables = { settings: settingsTable(), errors: errorsTable() }
  return Object.entries(tables).reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`),
        () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`,
      ),
    readme,
  )
}

export const README = join(ROOT, 'README.md')
export const ENV_EXAMPLE = join(ROOT, '.env.example')

/** `npm run docs` brings both files up to date. */
if (process.argv[1] === import.meta.filename) {
  writeFileSync(README, readmeWithTables(readFileSync(README, 'utf8')))
  writeFileSync(ENV_EXAMPLE, envExample())
}
