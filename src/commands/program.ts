import { Command } from 'commander'
import { parseConfig } from '../config.js'
import { completedRunJsonSchema } from '../intake/schema.js'
import { addDeliveriesCommand } from './deliveries.js'
import { addDoctorCommand } from './doctor.js'
import { addKeysCommand } from './keys.js'
import { addLocalesCommand } from './locales.js'
import { addManifestCommand } from './manifest.js'
import { addNoticesCommand } from './notices.js'
import { print } from './output.js'
import { addPreviewCommand } from './preview-command.js'
import { addRecoverCommand } from './replay.js'
import { addSendCommand } from './send-command.js'
import { addServeCommand } from './serve-command.js'
import { addSettleCommand } from './settle.js'
import { addWebhooksCommand } from './webhooks.js'

/** The environment, as `main` read it. */
export type Environment = Readonly<Record<string, string | undefined>>

const EPILOGUE = `
Exit codes: 0 done, 1 a fault of ours, 2 settings or usage, 3 database, 4 refused input, 5 not allowed, 6 not reachable.
Settings come from the environment and from .env; the README lists them.`

/** The command line: every command, one file each. */
export function createProgram(env: Environment): Command {
  const program = new Command('lastword')
    .description('Puts the right words, or none, into the Slack or Lark conversation that asked.')
    .addHelpText('after', EPILOGUE)
    .exitOverride()
  const settings = () => parseConfig(env)
  addServeCommand(program, settings)
  addSendCommand(program, settings)
  addPreviewCommand(program, settings)
  addSettleCommand(program, settings)
  addDeliveriesCommand(program, settings)
  addRecoverCommand(program, settings)
  addNoticesCommand(program, settings)
  addLocalesCommand(program, settings)
  addKeysCommand(program, settings)
  addWebhooksCommand(program, settings)
  addManifestCommand(program, settings)
  addDoctorCommand(program, settings)
  program
    .command('schema')
    .description('print the JSON Schema of a completed run')
    .action(() => print(completedRunJsonSchema(), true, () => []))
  return program
}
