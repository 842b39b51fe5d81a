import type { Command } from 'commander'
import { webhookDoors } from '../app/outgoing.js'
import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import { createLogger } from '../log.js'
import { EVENT_KINDS, isEventKind } from '../receipts/event.js'
import { createPoster } from '../receipts/post.js'
import { openSealer } from '../store/sealing.js'
import type { WebhookEndpoint } from '../store/webhook-endpoints.js'
import type { WebhookDoors } from '../web/webhooks.js'
import { withDatabase } from './open-store.js'
import { print } from './output.js'

interface AddFlags {
  readonly kind?: readonly string[]
  readonly installation?: readonly string[]
  readonly private?: boolean
  readonly json?: boolean
}

type JsonFlag = { readonly json?: boolean }

/** `lastword webhooks add|list|remove|enable|test`. */
export function addWebhooksCommand(program: Command, settings: () => Config): void {
  const webhooks = program
    .command('webhooks')
    .description('where events are sent, signed (Standard Webhooks)')
  const use = <T>(ask: (doors: WebhookDoors) => Promise<T>) => withDoors(settings(), ask)
  webhooks
    .command('add')
    .description('send events to an address from now on; the secret is shown once')
    .argument('<url>', 'an https address')
    .option('--kind <kind>', `only these: ${Object.keys(EVENT_KINDS).join(', ')} (repeatable)`, addText)
    .option('--installation <id>', 'only of these installations (repeatable)', addText)
    .option('--private', 'it may be http, and on a private address or this machine')
    .option('--json', 'print JSON')
    .action(async (url: string, flags: AddFlags) => {
      const made = await use((doors) => add(doors, url, flags))
      print(made, flags.json === true, () => [
        ['ID', 'SECRET (shown once)'],
        [made.id, made.secret],
      ])
    })
  webhooks
    .command('list')
    .description('every endpoint, without its secret')
    .option('--json', 'print JSON')
    .action(async (flags: JsonFlag) => {
      const all = await use((doors) => doors.list(null))
      print(all, flags.json === true, () => [
        ['ID', 'URL', 'KINDS', 'STATE', 'FAILING SINCE'],
        ...all.map(rowOf),
      ])
    })
  webhooks
    .command('remove')
    .description('send nothing more to an endpoint')
    .argument('<id>', 'as `webhooks list` shows it')
    .action((id: string) => use((doors) => doors.remove(id, null)))
  webhooks
    .command('enable')
    .description('enable an endpoint that was disabled; what it missed is sent')
    .argument('<id>', 'as `webhooks list` shows it')
    .action(async (id: string) => void (await use((doors) => doors.enable(id, null))))
  webhooks
    .command('test')
    .description('send a test event now and print what the endpoint answered')
    .argument('<id>', 'as `webhooks list` shows it')
    .option('--json', 'print JSON')
    .action(async (id: string, flags: JsonFlag) => {
      const result = await use((doors) => doors.test(id, null))
      const code = result.kind === 'gone' ? '410' : result.code
      print({ isAccepted: result.kind === 'accepted', code }, flags.json === true, () => [
        [result.kind === 'accepted' ? 'taken' : 'not taken', code],
      ])
      if (result.kind !== 'accepted')
        throw new LastwordError('service_unreachable', `the endpoint answered ${code}`)
    })
}

async function withDoors<T>(config: Config, ask: (doors: WebhookDoors) => Promise<T>): Promise<T> {
  return withDatabase(config, createLogger(config.LASTWORD_LOG_LEVEL), async ({ db }) => {
    const dataDir = config.DATABASE_URL === undefined ? config.LASTWORD_DATA_DIR : null
    const sealer = await openSealer(config.LASTWORD_ENCRYPTION_KEYS, dataDir)
    if (sealer === null) {
      throw new LastwordError(
        'config_invalid',
        'LASTWORD_ENCRYPTION_KEYS is not set: secrets of webhooks are sealed with it',
      )
    }
    const poster = createPoster({ now: Date.now })
    try {
      return await ask(webhookDoors(db, sealer, poster, Date.now))
    } finally {
      await poster.close()
    }
  })
}

async function add(doors: WebhookDoors, url: string, flags: AddFlags) {
  const unknown = flags.kind?.find((kind) => !isEventKind(kind))
  if (unknown !== undefined) {
    throw new LastwordError(
      'usage',
      `no kind ${JSON.stringify(unknown)}; there are ${Object.keys(EVENT_KINDS).join(', ')}`,
    )
  }
  const { endpoint, secret } = await doors.add({
    url,
    kinds: flags.kind ?? null,
    installationIds: flags.installation ?? null,
    mayBePrivate: flags.private === true,
    createdBy: null,
  })
  return { ...endpoint, secret }
}

function rowOf(endpoint: WebhookEndpoint): readonly string[] {
  const state = endpoint.stateCode === null ? endpoint.state : `${endpoint.state}: ${endpoint.stateCode}`
  return [endpoint.id, endpoint.url, endpoint.kinds?.join(' ') ?? 'all', state, endpoint.failingSince ?? '-']
}

function addText(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
