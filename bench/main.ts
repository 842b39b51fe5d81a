import { cpus, loadavg } from 'node:os'
import { benchClaim, benchMemory } from './backlog-size.js'
import { type Bench, startBench } from './harness.js'
import { benchBacklog, benchIdle, benchPipeline } from './pipeline.js'
import { benchRender } from './render.js'
import { benchStreamJson } from './stream-json.js'

/** Every section by the name it is asked for: `npm run bench -- pipeline claim --json`. */
const SECTIONS: Readonly<Record<string, (bench: Bench) => Promise<unknown>>> = {
  memory: (bench) => benchMemory(bench, 100_000),
  pipeline: async (bench) => [
    await benchPipeline(bench, 1, 1_500, 3),
    await benchPipeline(bench, 1_000, 8_000, 3),
    await benchPipeline(bench, 100_000, 100_000, 1),
  ],
  backlog: (bench) => benchBacklog(bench, 0, 10_000, 3),
  latency: (bench) => benchBacklog(bench, 100, 3_000, 3),
  idle: (bench) => benchIdle(bench, 220),
  claim: (bench) => benchClaim(bench, 1_000, 1_000_000),
  render: () => benchRender(),
  transcript: () => benchStreamJson(),
}

const NOTE =
  'One process accepts and delivers; embedded Postgres with fsync on and a fake platform in a process of its own share the machine. Pacing is off.'

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isJson = process.argv.includes('--json')
const names = asked.length === 0 ? Object.keys(SECTIONS) : asked
const results: Record<string, unknown> = {}
// Sections that speak for themselves must not break the JSON.
if (isJson) console.log = console.error

const bench = await startBench()
try {
  for (const name of names) {
    const section = SECTIONS[name]
    if (section === undefined) throw new Error(`no section ${name}: ${Object.keys(SECTIONS).join(', ')}`)
    const loadBefore = loadavg()[0]
    const figures = await section(bench)
    results[name] = { figures, loadBefore }
    if (!isJson) {
      console.log(`\n${name} (load ${loadBefore?.toFixed(1)} before)`)
      console.table(figures)
    }
  }
} finally {
  await bench.stop()
}
if (isJson)
  process.stdout.write(
    `${JSON.stringify({ note: NOTE, cores: cpus().length, node: process.version, results }, null, 2)}\n`,
  )
else console.log(`\n${NOTE} ${cpus().length} cores, Node ${process.version}.`)
