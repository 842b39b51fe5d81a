/**
 * Draws the corpus as Slack and Lark would about show it and takes pictures: `npx tsx test/support/picture/main.ts [word]`.
 * Several documents a picture; `word` picks those whose name holds it. Output: `.lastword/pictures/`, ignored by git.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { renderSlack } from '../../../src/platforms/slack/render.js'
import type { Part } from '../../../src/render/part.js'
import { corpusContext, readCorpus } from '../../render/corpus/read.js'
import { withCamera } from './browser.js'
import { larkHtml } from './lark-html.js'
import { escapeHtml } from './markdown-html.js'
import { type Exhibit, pageHtml } from './page.js'
import { slackHtml } from './slack-html.js'

const OUTPUT = '.lastword/pictures'
const DOCUMENTS_A_PICTURE = 4
/** Long answers are judged by their first parts. */
const MAX_PARTS_SHOWN = 3

function partsHtml(parts: readonly Part[], toHtml: (content: unknown) => string): readonly string[] {
  return parts
    .slice(0, MAX_PARTS_SHOWN)
    .map((part) =>
      part.kind === 'file'
        ? `<div class="file">${escapeHtml(part.filename)}: ${escapeHtml(part.title)}, ${part.markdown.length} characters</div>`
        : toHtml(part.content),
    )
}

const word = process.argv[2] ?? ''
const exhibits: Exhibit[] = readCorpus()
  .filter(({ name }) => name.includes(word))
  .map(({ name, message }) => ({
    name,
    slack: partsHtml(renderSlack(message, corpusContext('slack')).parts, slackHtml),
    lark: partsHtml(renderLark(message, corpusContext('lark')).parts, larkHtml),
  }))

mkdirSync(OUTPUT, { recursive: true })
await withCamera(async (camera) => {
  for (let at = 0; at < exhibits.length; at += DOCUMENTS_A_PICTURE) {
    const group = exhibits.slice(at, at + DOCUMENTS_A_PICTURE)
    const path = join(OUTPUT, `${group[0]?.name.slice(0, 2) ?? 'none'}.png`)
    await camera.shoot(pageHtml(group), path, 1200)
    process.stdout.write(`${path}: ${group.map(({ name }) => name).join(', ')}\n`)
  }
})
