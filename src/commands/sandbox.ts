import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.js'
import type { SamplePlaces, Sandbox } from '../sandbox/index.js'

/** Where the sandbox's pages are shown, so that a bookmark survives a restart; any free port when it is taken. */
const PAGE_PORT_OFFSET = 1

export interface OpenSandbox {
  readonly sandbox: Sandbox
  /** The settings with the sandbox's addresses and credentials in place of real ones. */
  readonly config: Config
  close(): Promise<void>
}

/** No platform is set, and no database that others may work on: try out here. */
export function isSandboxWanted(config: Config): boolean {
  const { DATABASE_URL, SLACK_BOT_TOKEN, SLACK_CLIENT_ID, LARK_APP_ID, LASTWORD_APPS_FILE } = config
  return [DATABASE_URL, SLACK_BOT_TOKEN, SLACK_CLIENT_ID, LARK_APP_ID, LASTWORD_APPS_FILE].every(
    (setting) => setting === undefined,
  )
}

export async function openSandbox(config: Config): Promise<OpenSandbox> {
  const sandbox = await startWithPages(config)
  return {
    sandbox,
    config: {
      ...config,
      SLACK_API_URL: sandbox.slack.apiUrl,
      SLACK_BOT_TOKEN: sandbox.slack.botToken,
      LARK_BASE_URL: sandbox.lark.baseUrl,
      LARK_APP_ID: sandbox.lark.appId,
      LARK_APP_SECRET: sandbox.lark.appSecret,
      LARK_TENANT_KEY: sandbox.lark.tenant,
    },
    close: () => sandbox.close(),
  }
}

async function startWithPages(config: Config): Promise<Sandbox> {
  // Loaded only here: a Lastword with real platforms never pays for it.
  const { startSandbox } = await import('../sandbox/index.js')
  if (config.PORT === 0) return startSandbox()
  return startSandbox({ pagePort: config.PORT + PAGE_PORT_OFFSET }).catch(() => startSandbox())
}

/** What `lastword send sample:NAME` needs to know of the sandbox that runs in another process. */
export type RunningSandbox = SamplePlaces & { readonly url: string }

/** Leaves a note of where the sandbox's conversations are. Holds ids only, no credentials. */
export async function writePlaces(config: Config, sandbox: Sandbox, url: string): Promise<void> {
  const { workspace, channel, thread, directChannel, userId } = sandbox.slack
  const { tenant, groupChat, directChat, topicChat, topic, anchors } = sandbox.lark
  const places: RunningSandbox = {
    url,
    slack: { workspace, channel, thread, directChannel, userId },
    lark: { tenant, userId: sandbox.lark.userId, groupChat, directChat, topicChat, topic, anchors },
  }
  await mkdir(config.LASTWORD_DATA_DIR, { recursive: true })
  await writeFile(pathOf(config), JSON.stringify(places))
}

/** The sandbox's note, or null when none was left. */
export async function readPlaces(config: Config): Promise<RunningSandbox | null> {
  const source = await readFile(pathOf(config), 'utf8').catch(() => null)
  return source === null ? null : placesSchema.parse(JSON.parse(source))
}

function pathOf(config: Config): string {
  return join(config.LASTWORD_DATA_DIR, 'sandbox.json')
}

const id = z.string()
const placesSchema = z.object({
  url: id,
  slack: z.object({ workspace: id, channel: id, thread: id, directChannel: id, userId: id }),
  lark: z.object({
    tenant: id,
    userId: id,
    groupChat: id,
    directChat: id,
    topicChat: id,
    topic: id,
    anchors: z.object({ group: id, direct: id, topic: id }),
  }),
})
