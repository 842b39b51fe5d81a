import type { ConsoleStory } from '../../store/console-story.js'
import type { AttemptRow } from '../../store/delivery-list.js'
import { type Tone, toneOfDelivery } from './chips.js'
import { decisionWords, reasonWords } from './decision.js'
import type { Format } from './format.js'
import { said } from './texts.js'

/** One thing that happened to a delivery, in words. */
export interface TimelineEntry {
  readonly atMs: number
  readonly tone: Tone
  readonly what: string
  /** Short details: codes, numbers, ids. Never text of the run. */
  readonly details: readonly string[]
}

/** Everything that happened, oldest first; where two have the same time, in the order of the work. */
export function timelineOf(story: ConsoleStory, format: Format): readonly TimelineEntry[] {
  const entries = [
    accepted(story, format),
    ...decided(story, format),
    ...story.attempts.map((attempt) => called(attempt, format)),
    ...stands(story, format),
    ...ended(story, format),
    ...presses(story, format),
    ...told(story, format),
  ]
  return entries.sort((a, b) => a.atMs - b.atMs)
}

function accepted(story: ConsoleStory, { texts }: Format): TimelineEntry {
  const what = story.producer === null ? texts.story.accepted : texts.story.acceptedFrom(story.producer)
  return { atMs: Date.parse(story.acceptedAt), tone: 'calm', what, details: [] }
}

function decided(story: ConsoleStory, { texts }: Format): readonly TimelineEntry[] {
  if (story.plannedAt === null) return []
  const words = texts.story
  const silence = story.silence
  const details = [
    ...(story.why === null ? [] : [reasonWords(story.why, texts)]),
    ...(silence === null ? [] : [words.silence(said(texts.silences, silence) ?? silence)]),
    ...(story.noticeId === null || story.noticeFinding === null
      ? []
      : [words.notice(story.noticeId, story.noticeFinding)]),
    ...(story.locale === null || story.localeFrom === null
      ? []
      : [words.spoken(story.locale, said(texts.localeSources, story.localeFrom) ?? story.localeFrom)]),
  ]
  const what = words.decided(decisionWords(story.decision, texts))
  return [{ atMs: Date.parse(story.plannedAt), tone: 'calm', what, details }]
}

const GOOD_OUTCOMES = new Set(['sent', 'edited', 'look_up_sent', 'look_up_absent'])
const WAITING_OUTCOMES = new Set([
  'rate_limited',
  'unknown',
  'not_sent',
  'in_flight',
  'look_up_unknown',
  'look_up_rate_limited',
])

function called(attempt: AttemptRow, format: Format): TimelineEntry {
  const words = format.texts.story
  const part = format.count(attempt.partIndex + 1)
  const what =
    attempt.method === 'find'
      ? words.lookUp(part)
      : attempt.method === 'edit'
        ? words.edit(part)
        : words.call(attempt.method, part)
  const code = attempt.code === null || attempt.code === attempt.outcome ? [] : [attempt.code]
  const startedMs = Date.parse(attempt.startedAt)
  const endedMs = Date.parse(attempt.endedAt)
  return {
    atMs: endedMs,
    tone: GOOD_OUTCOMES.has(attempt.outcome)
      ? 'good'
      : WAITING_OUTCOMES.has(attempt.outcome)
        ? 'warn'
        : 'bad',
    what,
    details: [
      attempt.outcome,
      ...code,
      words.number(format.count(attempt.number)),
      ...(attempt.rendering > 0 ? [words.rendering(format.count(attempt.rendering + 1))] : []),
      `${format.count(Math.max(0, endedMs - startedMs))} ms`,
      ...(attempt.waitMs === null ? [] : [words.waited(format.duration(attempt.waitMs))]),
      ...(attempt.vendorLogId === null ? [] : [words.logId(attempt.vendorLogId)]),
    ],
  }
}

function stands(story: ConsoleStory, { texts, count }: Format): readonly TimelineEntry[] {
  const endMs = story.settledAt === null ? Number.POSITIVE_INFINITY : Date.parse(story.settledAt)
  return story.parts.flatMap((part) =>
    part.sentAt === null
      ? []
      : [
          {
            // The database's clock may be a little behind or ahead of the worker's: it ended only when it stood.
            atMs: Math.min(Date.parse(part.sentAt), endMs),
            tone: 'good' as const,
            what: texts.story.sent(count(part.index + 1)),
            details: part.messageId === null ? [] : [part.messageId],
          },
        ],
  )
}

function ended(story: ConsoleStory, { texts }: Format): readonly TimelineEntry[] {
  if (story.settledAt === null) return []
  const details = story.reason === null ? [] : [reasonWords(story.reason, texts)]
  const what = texts.story.end(texts.states[story.state])
  return [{ atMs: Date.parse(story.settledAt), tone: toneOfDelivery(story.state), what, details }]
}

function presses(story: ConsoleStory, { texts }: Format): readonly TimelineEntry[] {
  return story.presses.map((press) => ({
    atMs: press.atMs,
    tone: 'calm' as const,
    what: texts.story.pressed(press.button, press.person),
    details: [],
  }))
}

function told(story: ConsoleStory, { texts, count }: Format): readonly TimelineEntry[] {
  return story.told.map((event) => ({
    atMs: event.atMs,
    tone: event.messages.some(({ state }) => state === 'failed') ? ('bad' as const) : ('calm' as const),
    what: texts.story.told(event.kind),
    details: event.messages.map((message) => {
      const line = texts.story.toldMessage(
        message.endpointId,
        texts.story.messageStates[message.state],
        count(message.attempts),
      )
      return message.code === null ? line : `${line}, ${message.code}`
    }),
  }))
}
