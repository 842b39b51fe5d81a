import type { InstallationRef, Marker, Platform, Target } from '../../../src/deliver/platform.js'
import {
  createLarkPlatform,
  type LarkCredentials,
  type LarkPlatformOptions,
} from '../../../src/platforms/lark/index.js'
import type { Part } from '../../../src/render/part.js'
import type { LarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'

export const INSTALLATION: InstallationRef = { id: 'ins_1', platform: 'lark', tenant: LARK.tenant }

/** Credentials of the fake's internal app, at the fake's address. */
export function credentialsAt(baseUrl: string, fields: Partial<LarkCredentials> = {}): LarkCredentials {
  return {
    appId: LARK.appId,
    appSecret: LARK.appSecret,
    baseUrl,
    kind: 'internal',
    tenant: LARK.tenant,
    ...fields,
  }
}

/** The platform under test, speaking to the fake as its internal app. */
export function platformFor(fake: LarkFake, options: Partial<LarkPlatformOptions> = {}): Platform {
  return createLarkPlatform({ credentials: async () => credentialsAt(fake.url), ...options })
}

export function aTarget(fields: Partial<Target> = {}): Target {
  return {
    installation: INSTALLATION,
    workspace: LARK.tenant,
    conversationId: LARK.group,
    anchor: null,
    inTopic: false,
    surface: 'channel',
    ...fields,
  }
}

export function aMarker(fields: Partial<Marker> = {}): Marker {
  return { deliveryId: 'dlv_1', partIndex: 0, rendering: 0, isNotice: false, ...fields }
}

export function aText(text = 'The build is green again.'): Part {
  return {
    kind: 'message',
    rung: 'text',
    content: { msg_type: 'text', content: JSON.stringify({ text }) },
    markdown: text,
  }
}

export function aCard(text = 'The build is green again.'): Part {
  const card = {
    schema: '2.0',
    config: { update_multi: true },
    body: { elements: [{ tag: 'markdown', content: text }] },
  }
  return {
    kind: 'message',
    rung: 'rich',
    content: { msg_type: 'interactive', content: JSON.stringify(card) },
    markdown: text,
  }
}

export function aFile(markdown = '# Report\n\nAll of it.\n', filename = 'report.md'): Part {
  return { kind: 'file', rung: 'file', filename, title: 'Report', markdown }
}

/** The texts of an app's messages in a chat, in order. */
export function textsOf(fake: LarkFake, chatId: string): readonly string[] {
  return fake
    .messages(chatId)
    .filter(({ sender, recalled }) => sender.kind === 'app' && !recalled)
    .map(({ content }) => content)
}
