import { Command, InvalidArgumentError, Option } from 'commander'
import { type Config, parseConfig } from '../config.js'
import { TRANSCRIPT_FORMATS } from '../contract/index.js'
import { LastwordError } from '../errors.js'
import { completedRunJsonSchema } from '../intake/schema.js'
import { createLogger } from '../log.js'
import { isSampleName, SAMPLE_NAMES, samples } from '../sandbox/samples.js'
import { addDeliveriesCommand } from './deliveries.js'
import { runDemo } from './demo.js'
import { parseJson, readInput } from './input.js'
import { formatTable, print } from './output.js'
import { readOwnKey } from './own-key.js'
import { previewRun } from './preview.js'
import { readPlaces, writePlaces } from './sandbox.js'
import { postRun, type Sent } from './send.js'
import { type Serving, serveUntilSignal, startServing } from './serve.js'
import { type SettleFlags, settleInput } from './settle.js'

/** The environment, as `main` read it. */
export type Environment = Readonly<Record<string, string | undefined>>

const EPILOGUE = `
Exit codes: 0 done, 1 a fault of ours, 2 settings or usage, 3 database, 4 refused input, 5 not allowed, 6 not reachable.
Settings come from the environment and from .env; the README lists them.`

/** The command line: every command, its options, its help. */
export function createProgram(env: Environment): Command {
  const program = new Command('lastword')
    .description('Puts the right words, or none, into the Slack or Lark conversation that asked.')
    .addHelpText('after', EPILOGUE)
    .exitOverride()
  const settings = () => parseConfig(env)
  addServe(program, settings)
  addSend(program, env, settings)
  addPreview(program, settings)
  addSettle(program)
  addDeliveriesCommand(program, settings)
  program
    .command('schema')
    .description('print the JSON Schema of a completed run')
    .action(() => print(completedRunJsonSchema(), true, () => []))
  return program
}

function addServe(program: Command, settings: () => Config): void {
  program
    .command('serve', { isDefault: true })
    .description('take runs and deliver them; without platform settings, in a sandbox on this machine')
    .option('--demo', 'in the sandbox: send every sample and print where it landed')
    .action(async (options: { demo?: boolean }) => {
      const config = settings()
      const log = createLogger(config.LASTWORD_LOG_LEVEL)
      const serving = await startServing(config, log)
      process.stdout.write(`${await greeting(serving)}\n`)
      if (options.demo === true) {
        const rows = await runDemo(serving)
        const table = rows.map((row) => [row.sample, row.platform, row.decision, row.why, row.landed])
        process.stdout.write(
          `\n${formatTable([['SAMPLE', 'PLATFORM', 'DECISION', 'WHY', 'WHERE IT LANDED'], ...table])}\n\n`,
        )
        process.stdout.write('Look at the pages above. Ctrl-C stops.\n')
      }
      await serveUntilSignal(serving, log)
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

function addSend(program: Command, env: Environment, settings: () => Config): void {
  program
    .command('send')
    .description('post a run to a running Lastword')
    .argument('<file>', 'a file, - for standard input, or sample:NAME in the sandbox')
    .option('--url <url>', 'where it runs')
    .option('--key <key>', 'the API key; by default LASTWORD_API_KEY or the key file of the data folder')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { url?: string; key?: string; json?: boolean }) => {
      const config = settings()
      const places = await readPlaces(config)
      const url = options.url ?? env.LASTWORD_URL ?? places?.url ?? `http://${config.HOST}:${config.PORT}`
      const key = options.key ?? (await readOwnKey(config))
      if (key === null) throw new LastwordError('usage', 'no API key: set LASTWORD_API_KEY or pass --key')
      const runs = file.startsWith('sample:')
        ? sampleRuns(file.slice(7), places)
        : [parseJson(await readInput(file))]
      const sent: Sent[] = []
      for (const run of runs) sent.push(await postRun(url, key, run))
      print(sent, options.json === true, () => [
        ['DELIVERY', 'NEW'],
        ...sent.map((one) => [one.deliveryId, one.isNew ? 'yes' : 'no']),
      ])
    })
}

function sampleRuns(name: string, places: Awaited<ReturnType<typeof readPlaces>>): readonly unknown[] {
  if (!isSampleName(name))
    throw new LastwordError(
      'usage',
      `no sample ${JSON.stringify(name)}; there are ${SAMPLE_NAMES.join(', ')}`,
    )
  if (places === null)
    throw new LastwordError('usage', 'samples need a running sandbox: start it with npm start')
  return samples(places, Date.now().toString(36))[name]()
}

function addPreview(program: Command, settings: () => Config): void {
  program
    .command('preview')
    .description('show what a run would put into the chat, with no network and no database')
    .argument('[file]', 'a file, or - for standard input', '-')
    .addOption(
      new Option('--surface <surface>', 'what a conversation is that the run gives no kind')
        .choices(['direct', 'channel'])
        .default('channel'),
    )
    .option('--json', 'print JSON (always)')
    .action(async (file: string, options: { surface: 'direct' | 'channel' }) => {
      const preview = previewRun(parseJson(await readInput(file)), settings(), options.surface, Date.now())
      print(preview, true, () => [])
    })
}

function addSettle(program: Command): void {
  program
    .command('settle')
    .description('fold a transcript into the outcome of its run')
    .argument('[file]', 'a file, or - for standard input', '-')
    .addOption(
      new Option('--format <format>', 'who wrote it').choices(TRANSCRIPT_FORMATS).makeOptionMandatory(),
    )
    .option('--deadline-ms <ms>', 'a deadline of this many ms ended it', wholeNumber)
    .option('--cancelled', 'it was cancelled')
    .option('--read-error <text>', 'reading its output failed')
    .option('--write-error <text>', 'writing its input failed')
    .option('--exit-error <text>', 'it exited with an error')
    .option('--exit-code <code>', 'its exit code', wholeNumber)
    .option('--stderr <text>', 'what it wrote to standard error')
    .option('--resume <session>', 'the session it was asked to resume')
    .option('--json', 'print JSON (always)')
    .action(async (file: string, flags: SettleFlags) => print(await settleInput(file, flags), true, () => []))
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number')
  return Number(text)
}
