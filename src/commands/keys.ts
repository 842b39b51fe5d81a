import cliProgress from 'cli-progress'
import { type Command, InvalidArgumentError } from 'commander'
import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import { isRight, RIGHTS, type Right } from '../intake/producer.js'
import { createLogger } from '../log.js'
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../store/api-keys.js'
import { type RotationProgress, rotateKeys } from '../store/credentials.js'
import type { Database } from '../store/database.js'
import { newSealingKey, openSealer } from '../store/sealing.js'
import { withDatabase } from './open-store.js'
import { print } from './output.js'

interface CreateFlags {
  readonly right?: readonly Right[]
  readonly installation?: readonly string[]
  readonly json?: boolean
}

/** `lastword keys create|list|revoke` for producers, `new|rotate` for the keys that seal credentials. */
export function addKeysCommand(program: Command, settings: () => Config): void {
  const keys = program.command('keys').description('keys of producers, and the keys that seal credentials')
  const withDb = <T>(use: (db: Database) => Promise<T>) => {
    const config = settings()
    return withDatabase(config, createLogger(config.LASTWORD_LOG_LEVEL), ({ db }) => use(db))
  }
  keys
    .command('create')
    .description('make a key for a producer; it is shown once')
    .argument('<name>', 'who will use it')
    .option(
      '--right <right>',
      `what it may do: ${RIGHTS.join(', ')} (repeatable; runs:write when left out)`,
      addRight,
    )
    .option('--installation <id>', 'where it may post (repeatable; everywhere when left out)', addText)
    .option('--json', 'print JSON')
    .action(async (name: string, flags: CreateFlags) => {
      const made = await withDb((db) => createKey(db, name, flags))
      print(made, flags.json === true, () => [
        ['ID', 'KEY (shown once)'],
        [made.id, made.key],
      ])
    })
  keys
    .command('list')
    .description('every key of a producer, without the key itself')
    .option('--json', 'print JSON')
    .action(async (flags: { readonly json?: boolean }) => {
      const all = await withDb(listApiKeys)
      print(all, flags.json === true, () => [
        ['ID', 'NAME', 'RIGHTS', 'INSTALLATIONS', 'LAST USED', 'STATE'],
        ...all.map(rowOf),
      ])
    })
  keys
    .command('revoke')
    .description('end a key; it stops working within seconds on every process')
    .argument('<id>', 'as `keys list` shows it')
    .action((id: string) => withDb((db) => revokeApiKey(db, id)))
  addSealingCommands(keys, settings, withDb)
}

function addSealingCommands(
  keys: Command,
  settings: () => Config,
  withDb: <T>(use: (db: Database) => Promise<T>) => Promise<T>,
): void {
  keys
    .command('new')
    .description('print a new key for LASTWORD_ENCRYPTION_KEYS; put it first, keep the old ones after it')
    .argument('[kid]', 'its name', new Date().toISOString().slice(0, 10))
    .action((kid: string) => void process.stdout.write(`${newSealingKey(kid)}\n`))
  keys
    .command('rotate')
    .description('seal all stored credentials with the first of LASTWORD_ENCRYPTION_KEYS; safe while serving')
    .action(async () => {
      const count = await withDb((db) => rotate(settings(), db))
      process.stdout.write(`${count} sealed again; keys after the first can be removed now\n`)
    })
}

/** @throws {LastwordError} `unknown_installation` */
export async function createKey(
  db: Database,
  name: string,
  flags: CreateFlags,
): Promise<{ readonly id: string; readonly key: string }> {
  return createApiKey(db, {
    name,
    rights: flags.right ?? ['runs:write'],
    installationIds: flags.installation ?? null,
  })
}

async function rotate(config: Config, db: Database): Promise<number> {
  const dataDir = config.DATABASE_URL === undefined ? config.LASTWORD_DATA_DIR : null
  const sealer = await openSealer(config.LASTWORD_ENCRYPTION_KEYS, dataDir)
  if (sealer === null) throw new LastwordError('config_invalid', 'LASTWORD_ENCRYPTION_KEYS is not set')
  const bar = new cliProgress.SingleBar({ format: 'sealing {bar} {value}/{total}', stream: process.stderr })
  let isShown = false
  const show = ({ done, total }: RotationProgress): void => {
    if (!isShown) bar.start(total, done)
    else bar.update(done)
    isShown = true
  }
  try {
    return await rotateKeys(db, sealer, show)
  } finally {
    if (isShown) bar.stop()
  }
}

function rowOf(key: ApiKey): readonly string[] {
  return [
    key.id,
    key.name,
    key.rights.join(' '),
    key.installationIds === null ? 'all' : key.installationIds.join(' '),
    key.lastUsedAt?.toISOString() ?? 'never',
    key.revokedAt === null ? 'works' : `revoked ${key.revokedAt.toISOString()}`,
  ]
}

function addRight(text: string, before: readonly Right[] = []): readonly Right[] {
  if (!isRight(text)) throw new InvalidArgumentError(`one of ${RIGHTS.join(', ')}`)
  return [...before, text]
}

function addText(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
