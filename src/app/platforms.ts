import type { Config } from '../config.js'
import type { PlatformName } from '../contract/run.js'
import type { Lease } from '../deliver/lease.js'
import type { Platform } from '../deliver/platform.js'
import type { Traces } from '../observe/traces.js'
import { createLarkPlatform } from '../platforms/lark/index.js'
import { createSlackPlatform } from '../platforms/slack/index.js'
import type { Connections } from './connect.js'

export interface Platforms {
  of(name: PlatformName): Platform
  /** Waits for calls in flight and closes idle sockets. */
  close(): Promise<void>
}

/** Every platform that deliveries may go to, with a span around each call. */
export function openPlatforms(
  config: Config,
  connections: Connections,
  options: {
    readonly traces: Traces
    readonly lease: Lease
    readonly now: () => number
    readonly callTimeoutMs: number | undefined
  },
): Platforms {
  const { traces, lease, now, callTimeoutMs } = options
  const slack = createSlackPlatform({
    apiUrl: config.SLACK_API_URL,
    credentials: connections.slack,
    refresh: connections.refreshSlack,
    nowMs: now,
    lease,
    ...(callTimeoutMs === undefined ? {} : { timeoutMs: callTimeoutMs }),
  })
  const lark = createLarkPlatform({
    credentials: connections.lark,
    appTicket: connections.larkTickets.newest,
    now,
    timeoutMs: callTimeoutMs,
  })
  const byName: Readonly<Record<PlatformName, Platform>> = {
    slack: traces.around(slack),
    lark: traces.around(lark),
  }
  return {
    of: (name) => byName[name],
    async close() {
      await slack.close()
      await lark.close()
    },
  }
}
