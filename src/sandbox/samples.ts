import {
  ANSWER_EN,
  ANSWER_ZH,
  CODE_AND_TABLE,
  longChinese,
  PARTIAL_EN,
  PARTIAL_ZH,
  TIMEOUT_PARTIAL_EN,
  TIMEOUT_PARTIAL_ZH,
} from './sample-texts.js'

export const SAMPLE_NAMES = [
  'answer',
  'silent-channel',
  'silent-direct',
  'truncated',
  'failed',
  'timeout',
  'long-chinese',
  'code-and-table',
] as const
export type SampleName = (typeof SAMPLE_NAMES)[number]

export function isSampleName(name: string): name is SampleName {
  return SAMPLE_NAMES.some((known) => known === name)
}

/** Where samples land: the ids of a running sandbox. */
export interface SamplePlaces {
  readonly slack: {
    readonly workspace: string
    readonly channel: string
    readonly thread: string
    readonly directChannel: string
    readonly userId: string
  }
  readonly lark: {
    readonly tenant: string
    readonly userId: string
    readonly groupChat: string
    readonly directChat: string
    readonly topicChat: string
    readonly topic: string
    readonly anchors: { readonly group: string; readonly direct: string; readonly topic: string }
  }
}

type SampleConversation =
  | {
      readonly platform: 'slack'
      readonly workspace: string
      readonly channel: string
      readonly thread?: string
      readonly kind: 'direct' | 'channel'
    }
  | {
      readonly platform: 'lark'
      readonly tenant: string
      readonly chat: string
      readonly replyTo: string
      readonly thread?: string
      readonly kind: 'direct' | 'channel'
    }

/** A run as a producer would post it to `POST /v1/runs`. */
export interface SampleRun {
  readonly runId: string
  readonly conversation: SampleConversation
  readonly trigger: { readonly kind: 'user'; readonly requester: string; readonly via: 'slack' | 'lark' }
  readonly outcome: SampleOutcome
  readonly locale: string
  readonly links: { readonly run: string }
}

interface SampleOutcome {
  readonly status: 'completed' | 'truncated' | 'failed' | 'timeout'
  readonly stopReason?: string
  readonly output?: string
  readonly partialOutput?: string
  readonly errorCode?: string
  readonly error?: string
  readonly diagnostic?: string
}

/**
 * Every sample by name; calling one gives its runs, for Slack first and then for Lark.
 *
 * @param serial ends every run id, so that a sample can be sent again as something new
 */
export function samples(
  places: SamplePlaces,
  serial = '1',
): Readonly<Record<SampleName, () => readonly SampleRun[]>> {
  const runsOf = (name: SampleName) => () =>
    SAMPLES[name].map((sample) => runOf(name, sample, places, serial))
  return {
    answer: runsOf('answer'),
    'silent-channel': runsOf('silent-channel'),
    'silent-direct': runsOf('silent-direct'),
    truncated: runsOf('truncated'),
    failed: runsOf('failed'),
    timeout: runsOf('timeout'),
    'long-chinese': runsOf('long-chinese'),
    'code-and-table': runsOf('code-and-table'),
  }
}

function runOf(
  name: SampleName,
  { to, locale, outcome }: Sample,
  places: SamplePlaces,
  serial: string,
): SampleRun {
  const conversation = addresses(places)[to]
  const { platform } = conversation
  const runId = `sample-${name}-${platform}-${serial}`
  const requester = platform === 'slack' ? places.slack.userId : places.lark.userId
  const links = { run: `https://agents.example.com/runs/${runId}` }
  return { runId, conversation, trigger: { kind: 'user', requester, via: platform }, outcome, locale, links }
}

const SILENT: SampleOutcome = { status: 'completed', stopReason: 'end_turn' }

/** The raw error must never be seen in a chat; the demo shows that it is not. */
const FAILED: SampleOutcome = {
  status: 'failed',
  errorCode: 'provider_auth',
  error:
    '401 from https://models.internal.example.com/v1: key sk-sample-0000 rejected\n    at send (/srv/agent/client.js:88)',
}

function said(output: string): SampleOutcome {
  return { status: 'completed', stopReason: 'end_turn', output }
}

function truncated(partialOutput: string): SampleOutcome {
  return { status: 'truncated', stopReason: 'max_tokens', errorCode: 'output_limit', partialOutput }
}

function timedOut(partialOutput: string): SampleOutcome {
  return { status: 'timeout', partialOutput, diagnostic: 'Stopped after 20 minutes.' }
}

function addresses({ slack, lark }: SamplePlaces) {
  const { workspace, channel, thread, directChannel } = slack
  const { tenant, anchors } = lark
  return {
    slackChannel: { platform: 'slack', workspace, channel, kind: 'channel' },
    slackThread: { platform: 'slack', workspace, channel, thread, kind: 'channel' },
    slackDirect: { platform: 'slack', workspace, channel: directChannel, kind: 'direct' },
    larkGroup: { platform: 'lark', tenant, chat: lark.groupChat, replyTo: anchors.group, kind: 'channel' },
    larkDirect: { platform: 'lark', tenant, chat: lark.directChat, replyTo: anchors.direct, kind: 'direct' },
    larkTopic: {
      platform: 'lark',
      tenant,
      chat: lark.topicChat,
      replyTo: anchors.topic,
      thread: lark.topic,
      kind: 'channel',
    },
  } as const
}

interface Sample {
  readonly to: keyof ReturnType<typeof addresses>
  readonly locale: 'en' | 'zh-CN'
  readonly outcome: SampleOutcome
}

const en = (to: Sample['to'], outcome: SampleOutcome): Sample => ({ to, locale: 'en', outcome })
const zh = (to: Sample['to'], outcome: SampleOutcome): Sample => ({ to, locale: 'zh-CN', outcome })

const SAMPLES: Readonly<Record<SampleName, readonly Sample[]>> = {
  answer: [en('slackThread', said(ANSWER_EN)), zh('larkGroup', said(ANSWER_ZH))],
  'silent-channel': [en('slackThread', SILENT), zh('larkGroup', SILENT)],
  'silent-direct': [en('slackDirect', SILENT), zh('larkDirect', SILENT)],
  truncated: [en('slackThread', truncated(PARTIAL_EN)), zh('larkGroup', truncated(PARTIAL_ZH))],
  failed: [en('slackDirect', FAILED), zh('larkDirect', FAILED)],
  timeout: [en('slackThread', timedOut(TIMEOUT_PARTIAL_EN)), zh('larkTopic', timedOut(TIMEOUT_PARTIAL_ZH))],
  'long-chinese': [zh('slackChannel', said(longChinese())), zh('larkGroup', said(longChinese()))],
  'code-and-table': [en('slackThread', said(CODE_AND_TABLE)), en('larkTopic', said(CODE_AND_TABLE))],
}
