import { pathToFileURL } from 'node:url'
import { createWords } from '../src/locales.js'
import { renderLark } from '../src/platforms/lark/render.js'
import { renderSlack } from '../src/platforms/slack/render.js'
import { compose } from '../src/render/compose.js'
import type { Message, RenderContext } from '../src/render/message.js'
import type { Plan } from '../src/render/part.js'

/** What one platform's rendering took. `growth` is the time per byte at 1 MB over that at 10 KB. */
export interface RenderFigures {
  readonly platform: string
  readonly median20KbMs: number
  readonly growth: number
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

/** Times rendering of an agent-like answer with code and tables, and its growth with size. Prints one line a platform. */
export async function benchRender(): Promise<readonly RenderFigures[]> {
  const figures = Object.entries(RENDERERS).map(([platform, render]) => {
    const median20KbMs = medianMs(() => render(messageOf(20_000), CONTEXT), 100)
    const small = medianMs(() => render(messageOf(10_000), CONTEXT), 100) / 10_000
    const large = medianMs(() => render(messageOf(1_000_000), CONTEXT), 7) / 1_000_000
    return { platform, median20KbMs, growth: large / small }
  })
  for (const { platform, median20KbMs, growth } of figures) {
    console.log(
      `render ${platform}: 20 KB in ${median20KbMs.toFixed(2)} ms median, 1 MB costs ${growth.toFixed(2)} times as much a byte as 10 KB`,
    )
  }
  return figures
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

function medianMs(work: () => unknown, rounds: number): number {
  for (let round = 0; round < Math.max(2, rounds); round += 1) work()
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  }).toSorted((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await benchRender()
