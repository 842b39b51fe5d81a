import type { Marker, Target } from '../../../src/deliver/platform.js'
import {
  createSlackPlatform,
  type SlackCredentials,
  type SlackPlatform,
} from '../../../src/platforms/slack/index.js'
import type { Part } from '../../../src/render/part.js'
import { SLACK, type SlackFake } from './fake.js'

/** An installation of the fake's default workspace. */
export const INSTALLATION = { id: 'inst_1', platform: 'slack', tenant: SLACK.team } as const

export const CREDENTIALS: SlackCredentials = {
  token: SLACK.token,
  isOrgWide: false,
  appId: SLACK.app,
  botId: SLACK.bot,
  botUserId: SLACK.botUser,
}

/** The platform over a fake. Its timeout is the product's: a busy machine is not a lost answer. */
export function slackOn(
  fake: SlackFake,
  credentials: Partial<SlackCredentials> = {},
  more: Partial<Parameters<typeof createSlackPlatform>[0]> = {},
): SlackPlatform {
  return createSlackPlatform({
    apiUrl: fake.apiUrl,
    credentials: async () => ({ ...CREDENTIALS, ...credentials }),
    ...more,
  })
}

export function aTarget(target: Partial<Target> = {}): Target {
  return {
    installation: INSTALLATION,
    workspace: SLACK.team,
    conversationId: SLACK.channel,
    anchor: null,
    inTopic: false,
    surface: 'channel',
    ...target,
  }
}

export function aMarker(marker: Partial<Marker> = {}): Marker {
  return { deliveryId: 'dlv_1', partIndex: 0, rendering: 0, isNotice: false, ...marker }
}

export function aMessage(
  text = 'the answer',
  content: Extract<Part, { kind: 'message' }>['content'] = {},
): Part {
  return {
    kind: 'message',
    rung: 'rich',
    content: { text, blocks: [{ type: 'markdown', text }], ...content },
    markdown: text,
  }
}

export function aFile(markdown = '# whole answer'): Part {
  return { kind: 'file', rung: 'file', filename: 'answer.md', title: 'The whole answer', markdown }
}
