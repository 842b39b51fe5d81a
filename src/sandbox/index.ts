import type { LarkAnchors } from './lark-tenant.js'
import { startLark } from './lark-tenant.js'
import { startPages } from './pages/server.js'
import { startSlack } from './slack.js'

export {
  isSampleName,
  SAMPLE_NAMES,
  type SampleName,
  type SamplePlaces,
  type SampleRun,
  samples,
} from './samples.js'

export interface SandboxPorts {
  /** Each takes any free port when left out. */
  readonly slackPort?: number
  readonly larkPort?: number
  readonly pagePort?: number
}

/** A Slack workspace and a Lark tenant on this machine, with everything a run needs to land in them. */
export interface Sandbox {
  readonly slack: {
    /** Ends in `/api/`. */
    readonly apiUrl: string
    readonly botToken: string
    readonly workspace: string
    readonly channel: string
    /** The parent message of a thread in `channel`. */
    readonly thread: string
    readonly directChannel: string
    readonly userId: string
  }
  readonly lark: {
    readonly baseUrl: string
    readonly appId: string
    readonly appSecret: string
    readonly tenant: string
    readonly userId: string
    readonly groupChat: string
    readonly directChat: string
    readonly topicChat: string
    readonly topic: string
    /** The message to answer in each chat. */
    readonly anchors: LarkAnchors
  }
  /** Where a person can see the messages. */
  readonly pages: readonly { readonly name: string; readonly url: string }[]
  close(): Promise<void>
}

/**
 * Starts everything on loopback. State is in memory. Lark's ids are always the same; Slack's thread and direct
 * conversation get theirs from `emulate` at every start.
 */
export async function startSandbox(ports: SandboxPorts = {}): Promise<Sandbox> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const stop of closers.splice(0).toReversed()) await stop()
  }
  try {
    const slack = await startSlack(ports.slackPort)
    closers.push(slack.close)
    const { server, ...lark } = await startLark(ports.larkPort)
    closers.push(server.close)
    const pages = await startPages({ slack, lark: { ...lark, server }, port: ports.pagePort ?? 0 })
    closers.push(pages.close)
    const { apiUrl, botToken, workspace, channel, thread, directChannel, userId } = slack
    return {
      slack: { apiUrl, botToken, workspace, channel, thread, directChannel, userId },
      lark,
      pages: [...pages.pages, { name: 'Slack inspector', url: slack.inspectorUrl }],
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
