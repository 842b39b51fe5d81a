import type { Config } from '../config.js'
import { decide } from '../contract/decide.js'
import type { Decision } from '../contract/decision.js'
import type { Conversation, Run, Surface } from '../contract/run.js'
import type { Platform, Target } from '../deliver/platform.js'
import { parseRun } from '../intake/parse-run.js'
import { chooseLanguage, createWords, resolveLanguage } from '../locales.js'
import { createLarkPlatform } from '../platforms/lark/index.js'
import { createSlackPlatform } from '../platforms/slack/index.js'
import { compose } from '../render/compose.js'
import { renderWords } from '../render/literally.js'
import type { JsonObject } from '../render/part.js'

/** What a run would put into the chat. */
export interface Preview {
  readonly decision: Decision
  readonly locale: string
  readonly localeFrom: string
  readonly parts: readonly {
    readonly platform: string
    readonly method: string
    readonly payload: JsonObject
  }[]
}

/**
 * Decides, words and cuts a run as delivering would, with no network and no database. A run that leaves `kind` out is
 * shown as for `assumed`, since nobody is asked.
 *
 * @throws {LastwordError} `invalid_run`, `payload_too_large`
 */
export function previewRun(value: unknown, config: Config, assumed: Surface, nowMs: number): Preview {
  const run = parseRun(value, { maxOutputBytes: config.LASTWORD_MAX_OUTPUT_BYTES })
  const surface = run.conversation.surface ?? (run.conversation.place.kind === 'person' ? 'direct' : assumed)
  const decision = decide(
    run,
    { surface, nowMs, noticeAccepted: false },
    { silenceTokens: config.LASTWORD_SILENCE_TOKENS },
  )
  const words = createWords()
  const fallback = resolveLanguage(config.LASTWORD_DEFAULT_LOCALE, words.languages) ?? 'en'
  const chosen = chooseLanguage({
    run: run.locale,
    person: null,
    conversation: null,
    installation: null,
    fallback,
  })
  const message = compose(decision)
  const platform = unconnected(run.conversation.platform, config)
  const plan =
    message === null
      ? { parts: [] }
      : renderWords(platform, message, {
          words,
          language: chosen.language,
          installationLanguage: fallback,
          mentions: run.mentions,
          secrets: [],
          maxParts: config.LASTWORD_MAX_PARTS,
          files: true,
        })
  const target = targetOf(run, platform, surface)
  return {
    decision,
    locale: chosen.language,
    localeFrom: chosen.from,
    parts: plan.parts.map((part, partIndex) => ({
      platform: platform.name,
      ...platform.toRequest(target, part, {
        deliveryId: 'preview',
        partIndex,
        rendering: 0,
        isNotice: decision.kind !== 'relay',
      }),
    })),
  }
}

function targetOf(run: Run, platform: Platform, surface: Surface): Target {
  const tenant = tenantOf(run.conversation)
  return {
    installation: { id: 'preview', platform: platform.name, tenant },
    workspace: tenant,
    conversationId: run.conversation.place.id,
    surface,
    ...platform.anchorOf(run.conversation),
  }
}

function tenantOf(conversation: Conversation): string {
  return (conversation.platform === 'slack' ? conversation.workspace : conversation.tenant) ?? ''
}

/** A platform of which only the pure half is used. */
function unconnected(name: Platform['name'], config: Config): Platform {
  const credentials = async (): Promise<never> => {
    throw new TypeError('a preview makes no calls')
  }
  return name === 'slack'
    ? createSlackPlatform({ apiUrl: config.SLACK_API_URL, credentials })
    : createLarkPlatform({ credentials })
}
