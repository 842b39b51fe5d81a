import { z } from 'zod'
import type { PlatformName } from '../contract/run.js'
import type { Ledger } from '../deliver/ledger.js'
import type { Platform } from '../deliver/platform.js'
import {
  isButtonName,
  isShown,
  judgePress,
  type Press,
  type PressedDelivery,
  type PressVerdict,
} from '../deliver/press.js'
import { showPresses } from '../deliver/show-press.js'
import { type Language, resolveLanguage, type Words } from '../locales.js'
import type { Logger } from '../log.js'
import { pressedLark } from '../platforms/lark/render-pressed.js'
import { toastOf } from '../platforms/lark/toast.js'
import { parseSlackPress, type SlackPress } from '../platforms/slack/interactions.js'
import { replyToPress } from '../platforms/slack/press-reply.js'
import { pressedSlack } from '../platforms/slack/render-pressed.js'
import type { Line } from '../render/message.js'
import type { JsonObject } from '../render/part.js'
import { findPressedDelivery, recordPress, showBook } from '../store/button-presses.js'
import type { Database } from '../store/database.js'
import type { LarkCardUse, OnCardAction } from './connect/lark-events.js'

export interface ButtonsOptions {
  readonly db: Database
  readonly platformOf: (name: PlatformName) => Pick<Platform, 'edit' | 'personLocale'> | null
  readonly people: Pick<Ledger, 'person' | 'rememberPerson'>
  readonly words: Words
  readonly defaultLanguage: Language
  /** Where answers to a press on Slack may go. */
  readonly slackReplyOrigins: readonly string[]
  readonly now: () => number
  /** Returns [0, 1). */
  readonly random: () => number
  readonly log: Logger
}

/** Presses of buttons: taken from the platforms, handed to producers, shown in the chat. */
export interface Buttons {
  /** Takes a verified body of Slack's; false when it is no press of ours. */
  onSlackBody(body: unknown): Promise<boolean>
  readonly onLarkCardAction: OnCardAction
  /** Shows presses from now on. */
  start(): void
  /** Shows what is due; returns how many presses that were. */
  runOnce(): Promise<number>
  /** Resolves when what is under way has its end. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** Lark refuses an update of a card whose callback it still waits for. */
const SHOW_AFTER_MS = { slack: 0, lark: 1_000 } as const satisfies Record<PlatformName, number>
/** How long a person's language is believed, in ms. */
const PERSON_TTL_MS = 24 * 3_600_000

/** Where a press came from, as its verified request says. */
interface PressedIn {
  readonly installationId: string | null
  readonly workspaces: readonly string[]
}

type Taken =
  | { readonly verdict: PressVerdict; readonly delivery: PressedDelivery | null }
  | { readonly verdict: 'failed'; readonly delivery: null }

export function createButtons(options: ButtonsOptions): Buttons {
  const { db, words, defaultLanguage, now, log } = options
  const underWay = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | null = null

  const runOnce = () =>
    showPresses({
      book: showBook(db),
      platformOf: options.platformOf,
      replaceButtons: { slack: pressedSlack, lark: pressedLark },
      words,
      defaultLanguage,
      now,
      random: options.random,
      log,
    })

  /** Goes on after the platform has its answer; `stop` waits for it. */
  function afterwards(what: string, task: () => Promise<unknown>): void {
    const done = task()
      .catch((err) => log.warn({ err }, `could not ${what}`))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }

  async function take(press: Press, at: PressedIn): Promise<Taken> {
    try {
      const delivery = await findPressedDelivery(db, press.deliveryId, { platform: press.platform, ...at })
      const verdict = judgePress(press, delivery)
      if (verdict !== 'accepted' || delivery === null) return { verdict, delivery }
      const pressedAtMs = now()
      const showAtMs = isShown(press.button, delivery.surface)
        ? pressedAtMs + SHOW_AFTER_MS[press.platform]
        : null
      const isFirst = await recordPress(db, press, delivery, { pressedAtMs, showAtMs })
      log.info({ deliveryId: press.deliveryId, button: press.button, isFirst }, 'a button was pressed')
      if (isFirst && showAtMs === pressedAtMs) afterwards('show a press', runOnce)
      return { verdict, delivery }
    } catch (err) {
      log.error({ err, deliveryId: press.deliveryId }, 'a press was not taken')
      return { verdict: 'failed', delivery: null }
    }
  }

  return {
    async onSlackBody(body) {
      const given = parseSlackPress(body)
      if (given === null || !isButtonName(given.action)) return false
      const press: Press = {
        platform: 'slack',
        deliveryId: given.value,
        button: given.action,
        person: given.person,
        conversationId: given.channel,
        messageId: given.message,
      }
      const workspaces = [given.workspace, given.enterprise].filter((id) => id !== null)
      const taken = await take(press, { installationId: null, workspaces })
      const line = replyTo(press, taken)
      if (line !== null) afterwards('answer a press', () => answerOnSlack(options, given, taken, line))
      return true
    },

    async onLarkCardAction(use) {
      const press = larkPress(use)
      if (press === null) return null
      // An internal app's installation may not name its tenant: the door knows which one it is.
      const taken = await take(press, { installationId: use.installationId, workspaces: [] })
      return toast(press, taken, words, defaultLanguage)
    },

    start() {
      timer = setInterval(() => afterwards('show presses', runOnce), POLL_MS)
    },
    runOnce,
    async stop() {
      if (timer !== null) clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

const CardValue = z.object({ action: z.string(), value: z.string() })

function larkPress({ action }: LarkCardUse): Press | null {
  const value = CardValue.safeParse(action.value).data
  if (value === undefined || !isButtonName(value.action)) return null
  return {
    platform: 'lark',
    deliveryId: value.value,
    button: value.action,
    person: action.person,
    conversationId: action.chat,
    messageId: action.message,
  }
}

/** What only the pressing person hears; null: the message itself tells. */
function replyTo(press: Press, { verdict, delivery }: Taken): Line | null {
  if (verdict !== 'accepted') return { key: `button.${verdict}`, vars: {} }
  if (isShown(press.button, delivery?.surface ?? null)) return null
  return { key: `button.done.${press.button}`, vars: {} }
}

function toast(press: Press, { verdict }: Taken, words: Words, fallback: Language): JsonObject {
  const line: Line =
    verdict === 'accepted'
      ? { key: `button.done.${press.button}`, vars: {} }
      : { key: `button.${verdict}`, vars: {} }
  const tone = verdict === 'accepted' ? 'success' : verdict === 'failed' ? 'error' : 'info'
  return toastOf(line, tone, words, fallback)
}

async function answerOnSlack(
  options: ButtonsOptions,
  given: SlackPress,
  taken: Taken,
  line: Line,
): Promise<void> {
  if (given.responseUrl === null) return
  const language = await readerLanguage(options, given, taken.delivery)
  const text = options.words.say(language, line.key, line.vars)
  const code = await replyToPress(given.responseUrl, text, options.slackReplyOrigins)
  if (code !== null) options.log.warn({ deliveryId: given.value, code }, 'a press was not answered')
}

/** The pressing person's language, else the delivery's, else ours. */
async function readerLanguage(
  options: ButtonsOptions,
  given: SlackPress,
  delivery: PressedDelivery | null,
): Promise<Language> {
  const locale = delivery === null ? null : await personLocale(options, given, delivery)
  const { languages } = options.words
  return (
    resolveLanguage(locale, languages) ??
    resolveLanguage(delivery?.locale ?? null, languages) ??
    options.defaultLanguage
  )
}

async function personLocale(
  { people, platformOf, now }: ButtonsOptions,
  given: SlackPress,
  delivery: PressedDelivery,
): Promise<string | null> {
  const { installationId } = delivery
  const known = await people.person(installationId, given.person)
  if (known?.locale != null && now() - known.checkedAtMs < PERSON_TTL_MS) return known.locale
  const tenant = given.workspace ?? given.enterprise ?? ''
  const installation = { id: installationId, platform: 'slack', tenant } as const
  const locale = (await platformOf('slack')?.personLocale(installation, tenant, given.person)) ?? null
  if (locale !== null) await people.rememberPerson(installationId, given.person, { locale })
  return locale
}
