import { pathToFileURL } from 'node:url'
import { createWords } from '../src/locales.js'
import { renderLark } from '../src/platforms/lark/render.js'
import { renderSlack } from '../src/platforms/slack/render.js'
import { compose } from '../src/render/compose.js'
import type { Message, RenderContext } from '../src/render/message.js'
import type { Plan } from '../src/render/part.js'

/**
 * What one platform's rendering took, medians over rounds: wall time and user CPU time, which on a shared machine says
 * more. `growth` is the time per byte at 1 MB over that at 10 KB.
 */
export interface RenderFigures {
  readonly platform: string
  readonly median20KbMs: number
  readonly median20KbCpuMs: number
  readonly growth: number
  readonly growthCpu: number
}

const CONTEXT: RenderContext = {
  words: createWords(),
  language: 'en',
  installationLanguage: 'en',
  mentions: [],
  secrets: [],
  maxParts: 1_000_000,
  files: false,
}

const RENDERERS: Readonly<Record<string, (message: Message, context: RenderContext) => Plan>> = {
  slack: renderSlack,
  lark: renderLark,
}

const SECTION = `## Result of the run

The **deploy** finished with \`npm run build\` in 3.2 s, see [the log](https://example.com/a_b?x=1&y=2). Next, *check*
the queue and restart what is stuck. 这是**重要**的说明,请先看日志。

- first item with \`code\` and text
- second item **bold**
  - nested one
  - nested two

1. one
2. two

\`\`\`ts
export function add(a: number, b: number): number {
  return a + b
}
for (const entry of entries.filter((one) => one.size > 0)) console.log(entry)
\`\`\`

| name | value | note |
| --- | ---: | --- |
| alpha | 1 | first |
| beta | 2 | second **x** |

> quoted line

`

/** The sizes are timed in turn and the rounds compared, so that a busy neighbour slows all of them alike. */
const ROUNDS = 5

/** Times rendering of an agent-like answer with code and tables, and its growth with size. Prints one line a platform. */
export async function benchRender(): Promise<readonly RenderFigures[]> {
  const figures = Object.entries(RENDERERS).map(([platform, render]) => figuresOf(platform, render))
  for (const { platform, median20KbMs, median20KbCpuMs, growth, growthCpu } of figures) {
    console.log(
      `render ${platform}: 20 KB in ${median20KbMs.toFixed(2)} ms median (${median20KbCpuMs.toFixed(2)} ms CPU), ` +
        `1 MB costs ${growth.toFixed(2)} times as much a byte as 10 KB (${growthCpu.toFixed(2)} CPU)`,
    )
  }
  return figures
}

type Renderer = (message: Message, context: RenderContext) => Plan

function figuresOf(platform: string, render: Renderer): RenderFigures {
  const work = (chars: number) => () => render(messageOf(chars), CONTEXT)
  timed(work(20_000), 300)
  timed(work(1_000_000), 3)
  const rounds = Array.from({ length: ROUNDS }, () => ({
    answer: timed(work(20_000), 100),
    small: timed(work(10_000), 200),
    large: timed(work(1_000_000), 5),
  }))
  return {
    platform,
    median20KbMs: median(rounds.map(({ answer }) => answer.wallMs)),
    median20KbCpuMs: median(rounds.map(({ answer }) => answer.cpuMs)),
    growth: median(rounds.map(({ small, large }) => large.wallMs / small.wallMs / 100)),
    growthCpu: median(rounds.map(({ small, large }) => large.cpuMs / small.cpuMs / 100)),
  }
}

const messages = new Map<number, Message>()

function messageOf(chars: number): Message {
  const known = messages.get(chars)
  if (known !== undefined) return known
  const text = SECTION.repeat(Math.ceil(chars / SECTION.length)).slice(0, chars)
  const message = compose({ kind: 'relay', text })
  if (message === null) throw new TypeError('a relay always has a message')
  messages.set(chars, message)
  return message
}

interface Timing {
  /** Median of the repeats. */
  readonly wallMs: number
  /** Mean of the repeats: the counter is too coarse for one. User time of all threads, so garbage collection counts. */
  readonly cpuMs: number
}

function timed(work: () => unknown, repeats: number): Timing {
  const usedBefore = process.cpuUsage()
  const times = Array.from({ length: repeats }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
  return { wallMs: median(times), cpuMs: process.cpuUsage(usedBefore).user / 1_000 / repeats }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await benchRender()
