import type { Command } from 'commander'
import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import { createLogger } from '../log.js'
import type { Database } from '../store/database.js'
import { countPrunable, pruneBatch } from '../store/prune.js'
import {
  armUndelivered,
  countReplayable,
  type ReplayFilter,
  type ReplayGroup,
  type ReplayOptions,
  replayBatch,
} from '../store/replay.js'
import { withDatabase } from './open-store.js'
import { print } from './output.js'
import { startProgress } from './progress.js'
import { parseSince } from './since.js'

/** Rows that travel in one transaction; a stop between two loses nothing. */
const BATCH = 500

interface ReplayFlags {
  readonly since?: number
  readonly code?: string
  readonly installation?: string
  readonly resendUnknown?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

const since = (text: string) => parseSince(text, Date.now())

/** `lastword deliveries replay|prune`. */
export function addReplayCommands(deliveries: Command, settings: () => Config): void {
  deliveries
    .command('replay')
    .description('open given-up deliveries again, each in its old place; what was sent is not sent again')
    .argument('[ids...]', 'only these; else name what is meant by options')
    .option('--since <time>', 'accepted since: 2h, 7d, or a date', since)
    .option('--code <code>', 'given up for this reason')
    .option('--installation <id>', 'only this installation')
    .option('--resend-unknown', 'send parts again of which nobody can tell whether they stand')
    .option('--dry-run', 'only count')
    .option('--json', 'print JSON')
    .action(async (ids: readonly string[], flags: ReplayFlags) => {
      const isNamed = [flags.since, flags.code, flags.installation].some((value) => value !== undefined)
      if (ids.length === 0 && !isNamed)
        throw new LastwordError('usage', 'say which: ids, --since, --code or --installation')
      const filter: ReplayFilter = {
        ids: ids.length === 0 ? undefined : ids,
        sinceMs: flags.since,
        reason: flags.code,
        installationId: flags.installation,
      }
      await withStore(settings, (db, config) => replay(db, config, filter, flags))
    })
  deliveries
    .command('prune')
    .description('forget deliveries that ended long ago')
    .option('--before <time>', 'ended before: 30d, or a date; by default LASTWORD_RETENTION_DAYS', since)
    .option('--dead', 'dead letters, too')
    .option('--dry-run', 'only count')
    .option('--json', 'print JSON')
    .action(async (flags: { before?: number; dead?: boolean; dryRun?: boolean; json?: boolean }) => {
      await withStore(settings, async (db, config) => {
        const endedBeforeMs = flags.before ?? Date.now() - config.LASTWORD_RETENTION_DAYS * 86_400_000
        const filter = { endedBeforeMs, dead: flags.dead === true }
        const count = await countPrunable(db, filter)
        const pruned = flags.dryRun === true ? 0 : await prune(db, filter, count)
        print({ count, pruned }, flags.json === true, () => [
          ['FOUND', 'FORGOTTEN'],
          [String(count), String(pruned)],
        ])
      })
    })
}

/** `lastword recover`. */
export function addRecoverCommand(program: Command, settings: () => Config): void {
  program
    .command('recover')
    .description('after an outage: send on everything that is not delivered, given-up deliveries included')
    .requiredOption('--since <time>', 'accepted since: 2h, 7d, or a date', since)
    .option('--installation <id>', 'only this installation')
    .option('--dry-run', 'only count')
    .option('--json', 'print JSON')
    .action(async (flags: ReplayFlags & { readonly since: number }) => {
      await withStore(settings, async (db, config) => {
        if (flags.dryRun !== true) await armUndelivered(db, flags.since)
        await replay(db, config, { sinceMs: flags.since, installationId: flags.installation }, flags)
      })
    })
}

async function withStore(
  settings: () => Config,
  use: (db: Database, config: Config) => Promise<void>,
): Promise<void> {
  const config = settings()
  await withDatabase(config, createLogger(config.LASTWORD_LOG_LEVEL), ({ db }) => use(db, config))
}

async function replay(
  db: Database,
  config: Config,
  filter: ReplayFilter,
  flags: Pick<ReplayFlags, 'dryRun' | 'json' | 'resendUnknown'>,
): Promise<void> {
  const groups = await countReplayable(db, filter)
  const total = groups.reduce((sum, group) => sum + group.count, 0)
  const options: ReplayOptions = {
    maxAgeMs: config.LASTWORD_MAX_AGE_MS,
    resendUnknown: flags.resendUnknown === true,
  }
  const replayed = flags.dryRun === true ? 0 : await replayAll(db, filter, options, total)
  print({ groups, total, replayed }, flags.json === true, () => replayRows(groups, replayed, flags))
}

/** Opens everything that matches, batch by batch, in order: one that is given up again meanwhile is not taken twice. */
export async function replayAll(
  db: Database,
  filter: ReplayFilter,
  options: ReplayOptions,
  total: number,
): Promise<number> {
  const progress = startProgress('replaying', total)
  let replayed = 0
  try {
    for (let afterSeq = 0; ; ) {
      const { ids, lastSeq } = await replayBatch(db, filter, options, { afterSeq, limit: BATCH })
      replayed += ids.length
      progress.add(ids.length)
      if (lastSeq === null) return replayed
      afterSeq = lastSeq
    }
  } finally {
    progress.stop()
  }
}

async function prune(db: Database, filter: Parameters<typeof pruneBatch>[1], total: number): Promise<number> {
  const progress = startProgress('forgetting', total)
  let pruned = 0
  try {
    for (;;) {
      const count = await pruneBatch(db, filter, BATCH)
      if (count === 0) return pruned
      pruned += count
      progress.add(count)
    }
  } finally {
    progress.stop()
  }
}

function replayRows(
  groups: readonly ReplayGroup[],
  replayed: number,
  { dryRun }: Pick<ReplayFlags, 'dryRun'>,
): readonly (readonly string[])[] {
  const last = dryRun === true ? ['nothing was changed: a dry run'] : [`${replayed} replayed`]
  return [
    ['INSTALLATION', 'STATE', 'REASON', 'COUNT'],
    ...groups.map((group) => [group.installationId, group.state, group.reason ?? '-', String(group.count)]),
    last,
  ]
}
