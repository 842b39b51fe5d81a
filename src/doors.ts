import type { Router } from 'express'
import type { SlackApp } from './apps.js'
import type { Config } from './config.js'
import { addLarkDoors } from './connect/lark.js'
import { addSlackDoors } from './connect/slack.js'
import type { Connections } from './connect.js'
import type { Logger } from './log.js'
import type { Database } from './store/database.js'
import { addSlackInstallPages, type InstallWords, slackInstallPages } from './web/install-slack.js'

export interface DoorsOptions {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly connections: Connections
  readonly spoken: InstallWords
}

/** What platforms reach us by, or we them. */
export interface Doors {
  /** Opens what we open ourselves: sockets. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Adds the doors of the platforms' own apps to a router: installs and events. */
export function openDoors(options: DoorsOptions, router: Router): Doors {
  const { config, log, db, connections, spoken } = options
  const { apps, sealer, vault, slack: credentials, slackClients: clients, larkTickets: tickets } = connections
  const pages = (app: SlackApp) => slackInstallPages(app, spoken)
  addSlackInstallPages(apps.slack, spoken, router)
  const doors = [
    addSlackDoors(
      apps.slack,
      { config, db, sealer, vault, credentials, clients, log, pages, now: Date.now },
      router,
    ),
    addLarkDoors(apps.lark, { db, tickets, mode: config.LARK_EVENTS, log, now: Date.now }, router),
  ]
  return {
    start: async () => void (await Promise.all(doors.map((door) => door.start()))),
    stop: async () => void (await Promise.all(doors.map((door) => door.stop()))),
  }
}
