import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWords, type Words } from '../../../src/locales.js'
import type { Message, RenderContext } from '../../../src/render/message.js'

const CORPUS = import.meta.dirname
/** Two languages show how several stand beside each other; wording elsewhere may change freely. */
const WORDS: Words = { languages: ['en', 'zh-Hans'], say: createWords().say }

/** One document of the corpus as an answer, or as a notice over its text. */
export interface CorpusDocument {
  readonly name: string
  readonly message: Message
}

/** Headers over partial text, by document: what a run that did not finish looks like. */
const CUT = { header: { key: 'header.status.truncated', vars: {} }, diagnostic: null } as const
const NOTICES: Readonly<Record<string, Pick<Message, 'header' | 'diagnostic'>>> = {
  '27-cut-in-table': CUT,
  '28-cut-in-table-delimiter': CUT,
  '29-cut-in-link': CUT,
  '32-cut-in-inline-code': CUT,
  '33-cut-in-quote-fence': CUT,
  '34-cut-in-entity-and-emoji': CUT,
  '26-cut-in-fence': { header: { key: 'header.cause.output_limit', vars: {} }, diagnostic: null },
  '30-cut-in-emphasis': { header: { key: 'header.cause.timeout', vars: {} }, diagnostic: null },
  '31-cut-in-list-item': {
    header: { key: 'header.cause.provider_server', vars: {} },
    diagnostic: 'upstream answered 503 <at id=all></at>\nrequest req_8812',
  },
}

/** Every document, in the order of names, and two notices without text. */
export function readCorpus(): readonly CorpusDocument[] {
  const files = readdirSync(CORPUS).filter((file) => file.endsWith('.md'))
  const answers = files.sort().map((file): CorpusDocument => {
    const name = file.slice(0, -'.md'.length)
    const notice = NOTICES[name]
    const body = readFileSync(join(CORPUS, file), 'utf8')
    const frame = notice ?? { header: null, diagnostic: null }
    return {
      name,
      message: { kind: notice === undefined ? 'answer' : 'notice', ...frame, body, buttons: [] },
    }
  })
  const wordless = { kind: 'notice', diagnostic: null, body: null } as const
  return [
    ...answers,
    {
      name: '90-notice-no-response',
      message: { ...wordless, header: { key: 'notice.no_response', vars: {} }, buttons: [] },
    },
    {
      name: '91-notice-failure-buttons',
      message: {
        ...wordless,
        header: { key: 'header.cause.provider_overload', vars: {} },
        diagnostic: 'The service asked to wait.',
        footer: { key: 'repeated', vars: { count: 3 } },
        runUrl: 'https://agents.example.com/runs/91?tab=log&from=chat',
        buttons: [
          { kind: 'retry', value: 'run_91' },
          { kind: 'feedback', value: 'run_91' },
        ],
      },
    },
  ]
}

export function corpusContext(platform: 'slack' | 'lark'): RenderContext {
  return {
    words: WORDS,
    language: 'en',
    installationLanguage: 'en',
    mentions: platform === 'slack' ? ['U0ALLOWED1'] : ['ou_allowed1'],
    secrets: ['correct-horse-battery-staple'],
    maxParts: 4,
    files: true,
  }
}
