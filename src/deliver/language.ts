import type { Decision } from '../contract/decision.js'
import { chooseLanguage, type Language } from '../locales.js'
import type { Engine } from './engine.js'
import type { Head, InstallationFacts } from './ledger.js'
import type { Platform, Target } from './platform.js'

/** How long a person's language is believed, in ms; also when the platform would not tell. */
const PERSON_TTL_MS = 24 * 3_600_000

export interface ChosenLanguage {
  readonly language: Language
  /** Which source decided: run, person, conversation, installation, default. */
  readonly from: string
}

/**
 * The language of our own words in this delivery. The person is asked for only in a direct conversation and only when
 * something of ours will be said: in a channel the conversation's language counts, not the requester's.
 */
export async function languageOf(
  engine: Engine,
  platform: Platform,
  installation: InstallationFacts,
  head: Head,
  target: Target,
  placeLocale: string | null,
  decision: Decision,
): Promise<ChosenLanguage> {
  const mayAsk = head.run.locale === null && target.surface === 'direct' && decision.kind !== 'relay'
  const personId = personOf(head)
  const person = mayAsk && personId !== null ? await personLocale(engine, platform, target, personId) : null
  const chosen = chooseLanguage({
    run: head.run.locale,
    person,
    conversation: placeLocale,
    installation: installation.locale,
    fallback: engine.settings.defaultLanguage,
  })
  if (chosen.ignored.length > 0) {
    engine.log.warn(
      { deliveryId: head.id, sources: chosen.ignored },
      'a locale could not be read; the next source decided',
    )
  }
  return { language: chosen.language, from: chosen.from }
}

/** The one person who reads a direct conversation. */
export function personOf(head: Head): string | null {
  const { place } = head.run.conversation
  return place.kind === 'person' ? place.id : head.run.trigger.requester
}

async function personLocale(
  engine: Engine,
  platform: Platform,
  target: Target,
  personId: string,
): Promise<string | null> {
  const known = await engine.ledger.person(target.installation.id, personId)
  if (known?.locale != null && engine.now() - known.checkedAtMs < PERSON_TTL_MS) return known.locale
  const locale = await platform.personLocale(target.installation, target.workspace, personId)
  if (locale !== null) await engine.ledger.rememberPerson(target.installation.id, personId, { locale })
  return locale
}
