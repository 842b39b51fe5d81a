import type { Command } from 'commander'
import { parseRoles } from '../app/roles.js'
import type { Config } from '../config.js'
import { createLogger } from '../log.js'
import { SAMPLE_NAMES } from '../sandbox/samples.js'
import { runDemo } from './demo.js'
import { formatTable } from './output.js'
import { writePlaces } from './sandbox.js'
import type { Serving } from './serve.js'

interface ServeFlags {
  readonly demo?: boolean
  readonly role?: string
  readonly bullmq?: string
  readonly queue: string
}

/** `lastword serve`, also what `lastword` does without a command. */
export function addServeCommand(program: Command, settings: () => Config): void {
  program
    .command('serve', { isDefault: true })
    .description('take runs and deliver them; without platform settings, in a sandbox on this machine')
    .option('--demo', 'in the sandbox: send every sample and print where it landed')
    .option(
      '--role <roles>',
      'what this process does: intake, deliver, web, separated by commas; all by default',
    )
    .option('--bullmq <url>', 'also take runs off a BullMQ queue on this Redis')
    .option('--queue <name>', 'name of the BullMQ queue', 'agent-runs')
    .action(async (options: ServeFlags) => {
      const config = settings()
      const log = createLogger(config.LASTWORD_LOG_LEVEL)
      // What serves is loaded for this command alone: the others start in a third of the time.
      const { hearStop, serveUntil, startServing } = await import('./serve.js')
      const stop = hearStop(log)
      const serving = await startServing(config, log, {
        ...(options.role === undefined ? {} : { roles: parseRoles(options.role) }),
        ...(options.bullmq === undefined
          ? {}
          : { bullmq: { redisUrl: options.bullmq, queueName: options.queue } }),
      })
      process.stdout.write(`${await greeting(serving)}\n`)
      if (options.demo === true) {
        const rows = await runDemo(serving)
        const table = rows.map((row) => [row.sample, row.platform, row.decision, row.why, row.landed])
        process.stdout.write(
          `\n${formatTable([['SAMPLE', 'PLATFORM', 'DECISION', 'WHY', 'WHERE IT LANDED'], ...table])}\n\n`,
        )
        process.stdout.write('Look at the pages above. Ctrl-C stops.\n')
      }
      await serveUntil(stop, serving, log)
    })
}

async function greeting(serving: Serving): Promise<string> {
  const { sandbox, url, apiKey, app } = serving
  if (sandbox === null) return `Lastword listens on ${url}`
  await writePlaces(app.config, sandbox.sandbox, url)
  const pages = sandbox.sandbox.pages.map((page) => [`  ${page.name}`, page.url])
  return [
    'No Slack or Lark credentials are set: this is a sandbox on this machine. Nothing leaves it.',
    '',
    formatTable([['  Runs go to', `POST ${url}/v1/runs`], ['  API key', apiKey], ...pages]),
    '',
    `Send a sample: npx lastword send sample:answer   (${SAMPLE_NAMES.join(', ')})`,
  ].join('\n')
}
