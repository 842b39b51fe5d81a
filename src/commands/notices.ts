import { type Command, Option } from 'commander'
import type { Config } from '../config.js'
import { NOTICE_STATES, type NoticeState } from '../contract/silence/notice.js'
import { createNoticeDoors, type Notice, type NoticeDoors } from '../intake/notices.js'
import { trustedProducer } from '../intake/producer.js'
import { createLogger } from '../log.js'
import { acceptanceLedger } from '../store/accept-delivery.js'
import type { Database } from '../store/database.js'
import { listNotices, noticeLedger } from '../store/notices.js'
import { parseJson, readInput } from './input.js'
import { withDatabase } from './open-store.js'
import { print } from './output.js'

/** Who has the command line and the database may do everything. */
const OPERATOR = trustedProducer('operator')

interface ListFlags {
  readonly state?: NoticeState
  readonly limit: string
  readonly json?: boolean
}

interface ShowFlags {
  readonly json?: boolean
}

/** `lastword notices add|list|show|cancel`. */
export function addNoticesCommand(program: Command, settings: () => Config): void {
  const notices = program
    .command('notices')
    .description('completion notices that agents may leave unanswered')
  const withDoors = <T>(use: (doors: NoticeDoors, db: Database) => Promise<T>): Promise<T> => {
    const config = settings()
    return withDatabase(config, createLogger(config.LASTWORD_LOG_LEVEL), ({ db }) =>
      use(doorsOf(db, config), db),
    )
  }
  notices
    .command('add')
    .description('record a notice, or change the state of one')
    .argument('[file]', 'a file with its JSON, or - for standard input', '-')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: ShowFlags) => {
      const value = parseJson(await readInput(file))
      const { notice } = await withDoors((doors) => doors.record(value, OPERATOR))
      print(notice, flags.json === true, () => story(notice))
    })
  notices
    .command('list')
    .description('the newest notices')
    .addOption(new Option('--state <state>', 'only these').choices(NOTICE_STATES))
    .option('--limit <count>', 'how many', '20')
    .option('--json', 'print JSON')
    .action(async (flags: ListFlags) => {
      const limit = Math.min(1_000, Math.max(1, Number(flags.limit) || 20))
      const rows = await withDoors((_doors, db) => listNotices(db, { state: flags.state }, limit))
      print(rows, flags.json === true, () => [
        ['NOTICE', 'KIND', 'STATE', 'REPLY TO', 'SPENT BY', 'RECORDED'],
        ...rows.map((row) => [
          row.noticeId,
          row.kind,
          row.state,
          row.replyTo ?? '-',
          row.spentBy ?? '-',
          row.createdAt,
        ]),
      ])
    })
  notices
    .command('show')
    .description('one notice')
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, flags: ShowFlags) => {
      const notice = await withDoors((doors) => doors.read(id, OPERATOR))
      print(notice, flags.json === true, () => story(notice))
    })
  notices
    .command('cancel')
    .description('withdraw a notice that is not answered yet')
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, flags: ShowFlags) => {
      const notice = await withDoors((doors) => doors.cancel(id, OPERATOR))
      print(notice, flags.json === true, () => story(notice))
    })
}

function doorsOf(db: Database, config: Config): NoticeDoors {
  const { findInstallations } = acceptanceLedger(db)
  return createNoticeDoors({
    ledger: { ...noticeLedger(db), findInstallations },
    maxContentBytes: config.LASTWORD_MAX_OUTPUT_BYTES,
  })
}

/** What the notice says is for the agent alone; `--json` has it. */
function story(notice: Notice): readonly (readonly string[])[] {
  return [
    ['notice', notice.noticeId],
    ['kind', notice.kind],
    ['state', notice.state],
    ['installation', notice.installationId ?? '-'],
    ['reply to', notice.replyTo ?? '-'],
    ['recorded', `${notice.createdAt} by ${notice.producer ?? '-'}`],
    ['ended', notice.endedAt ?? '-'],
    ['spent by', notice.spentBy ?? '-'],
  ]
}
