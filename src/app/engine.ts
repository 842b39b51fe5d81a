import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import { createCallSlots } from '../deliver/call-slots.js'
import type { Engine } from '../deliver/engine.js'
import { createGates } from '../deliver/gates.js'
import { createPacer, UNPACED } from '../deliver/pacer.js'
import { type Language, resolveLanguage, type Words } from '../locales.js'
import type { Logger } from '../log.js'
import type { Database } from '../store/database.js'
import { createLedger } from '../store/ledger.js'
import type { CredentialSources } from './connect.js'

export interface EngineParts {
  readonly config: Config
  readonly log: Logger
  readonly words: Words
  readonly db: Database
  readonly platformOf: Engine['platformOf']
  readonly secretsOf: CredentialSources['secretsOf']
}

/** What lanes work with, by the settings. */
export function createEngine(
  { config, log, words, db, platformOf, secretsOf }: EngineParts,
  hooks: Pick<Engine, 'now' | 'observer' | 'reached' | 'emit' | 'lease'>,
): Engine {
  const ledger = createLedger(db, hooks.now)
  return {
    workerId: randomUUID(),
    ledger,
    platformOf,
    words,
    settings: {
      policy: { silenceTokens: config.LASTWORD_SILENCE_TOKENS },
      defaultLanguage: defaultLanguageOf(config, words),
      maxParts: config.LASTWORD_MAX_PARTS,
      settleMs: config.LASTWORD_SETTLE_MS,
      repeatWindowMs: config.LASTWORD_REPEAT_WINDOW_MS,
      unknownPolicy: config.LASTWORD_UNKNOWN_POLICY,
    },
    pacer: config.LASTWORD_PACING ? createPacer(hooks.now) : UNPACED,
    gates: createGates(ledger, hooks.now),
    calls: createCallSlots(config.LASTWORD_CONCURRENCY),
    secretsOf,
    random: Math.random,
    log,
    ...hooks,
  }
}

/** Our language where nothing else decides. */
export function defaultLanguageOf(config: Config, words: Words): Language {
  return resolveLanguage(config.LASTWORD_DEFAULT_LOCALE, words.languages) ?? 'en'
}
