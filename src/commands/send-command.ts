import type { Command } from 'commander'
import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import { isSampleName, SAMPLE_NAMES, samples } from '../sandbox/samples.js'
import { parseJson, readInput } from './input.js'
import { print } from './output.js'
import { readOwnKey } from './own-key.js'
import { readPlaces } from './sandbox.js'
import { postRun, type Sent } from './send.js'

/** `lastword send`. */
export function addSendCommand(program: Command, settings: () => Config): void {
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
      const url = options.url ?? config.LASTWORD_URL ?? places?.url ?? `http://${config.HOST}:${config.PORT}`
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
