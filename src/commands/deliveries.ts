import { type Command, Option } from 'commander'
import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import { createLogger } from '../log.js'
import {
  type DeliveryFilter,
  type DeliveryStory,
  listDeliveries,
  showDelivery,
} from '../store/delivery-list.js'
import { DELIVERY_STATES, type DeliveryState } from '../store/tables.js'
import { withDatabase } from './open-store.js'
import { print } from './output.js'
import { addReplayCommands } from './replay.js'

interface ListFlags {
  readonly state?: DeliveryState
  readonly code?: string
  readonly run?: string
  readonly installation?: string
  readonly limit: string
  readonly json?: boolean
}

/** `lastword deliveries list|show|replay|prune`. */
export function addDeliveriesCommand(program: Command, settings: () => Config): void {
  const deliveries = program.command('deliveries').description('see what became of runs')
  deliveries
    .command('list')
    .description('the newest deliveries')
    .addOption(new Option('--state <state>', 'only these').choices(DELIVERY_STATES))
    .option('--code <code>', 'only those with this reason or code')
    .option('--run <id>', 'only this run')
    .option('--installation <id>', 'only this installation')
    .option('--limit <count>', 'how many', '20')
    .option('--json', 'print JSON')
    .action(async (flags: ListFlags) => {
      const filter: DeliveryFilter = {
        state: flags.state,
        reason: flags.code,
        runId: flags.run,
        installationId: flags.installation,
      }
      const limit = Math.min(1_000, Math.max(1, Number(flags.limit) || 20))
      const config = settings()
      const rows = await withDatabase(config, createLogger(config.LASTWORD_LOG_LEVEL), ({ db }) =>
        listDeliveries(db, filter, { limit }),
      )
      print(rows, flags.json === true, () => [
        ['DELIVERY', 'RUN', 'STATE', 'DECISION', 'REASON', 'PARTS', 'ACCEPTED'],
        ...rows.map((row) => [
          row.id,
          row.runId,
          row.state,
          row.decision ?? '-',
          row.reason ?? '-',
          `${row.sentCount}/${row.partCount}`,
          row.acceptedAt,
        ]),
      ])
    })
  deliveries
    .command('show')
    .description("one delivery's story")
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, flags: { readonly json?: boolean }) => {
      const config = settings()
      const story = await withDatabase(config, createLogger(config.LASTWORD_LOG_LEVEL), ({ db }) =>
        showDelivery(db, id),
      )
      if (story === null) throw new LastwordError('not_found', `there is no delivery ${JSON.stringify(id)}`)
      print(story, flags.json === true, () => storyRows(story))
    })
  addReplayCommands(deliveries, settings)
}

function storyRows(story: DeliveryStory): readonly (readonly string[])[] {
  const facts = [
    ['delivery', story.id],
    ['run', `${story.runId} (attempt ${story.attempt})`],
    ['conversation', story.conversationKey],
    ['state', story.reason === null ? story.state : `${story.state}: ${story.reason}`],
    ['decision', story.decision ?? '-'],
    ['language', story.locale === null ? '-' : `${story.locale} (from ${story.localeFrom})`],
    ['accepted', story.acceptedAt],
    ['settled', story.settledAt ?? '-'],
  ]
  const parts = story.parts.map((part) => [
    `part ${part.index + 1}`,
    `${part.state} ${part.messageId ?? ''}`.trim(),
  ])
  const attempts = story.attempts.map((attempt) => [
    attempt.startedAt,
    `part ${attempt.partIndex + 1} ${attempt.method}: ${attempt.outcome}${attempt.code === null ? '' : ` ${attempt.code}`}`,
  ])
  return [...facts, ...parts, ...attempts]
}
