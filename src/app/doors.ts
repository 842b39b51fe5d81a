import type { Router } from 'express'
import type { Config } from '../config.js'
import type { Logger } from '../log.js'
import type { Database } from '../store/database.js'
import { seenEvents } from '../store/seen-events.js'
import { addSlackInstallPages, type InstallWords, slackInstallPages } from '../web/install-slack.js'
import type { SlackApp } from './apps.js'
import type { Doors } from './connect/doors.js'
import { addLarkDoors } from './connect/lark.js'
import type { OnCardAction } from './connect/lark-events.js'
import { addSlackDoors } from './connect/slack.js'
import type { Connections } from './connect.js'

export interface DoorsOptions {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly connections: Connections
  readonly spoken: InstallWords
  /** Answers controls of Lark cards; without it they are acknowledged and ignored. */
  readonly onLarkCardAction?: OnCardAction
  /** Takes what Slack sends when somebody uses a control of a message; false when it is nothing of that kind. */
  readonly onSlackInteraction?: (body: unknown) => Promise<boolean>
}

/** How often the ids of events seen days ago are dropped, in ms. */
const FORGET_EVERY_MS = 3_600_000

/** Adds the doors of the platforms' own apps to a router: installs and events. */
export function openDoors(options: DoorsOptions, router: Router): Doors {
  const { config, log, db, connections, spoken, onLarkCardAction, onSlackInteraction } = options
  const { apps, sealer, vault, slack: credentials, slackClients: clients, larkTickets: tickets } = connections
  const pages = (app: SlackApp) => slackInstallPages(app, spoken)
  addSlackInstallPages(apps.slack, spoken, router)
  const doors = [
    addSlackDoors(
      apps.slack,
      {
        ...{ config, db, sealer, vault, credentials, clients, log, pages, now: Date.now },
        ...(onSlackInteraction === undefined ? {} : { onInteraction: onSlackInteraction }),
      },
      router,
    ),
    addLarkDoors(
      apps.lark,
      {
        db,
        tickets,
        mode: config.LARK_EVENTS,
        log,
        now: Date.now,
        ...(onLarkCardAction === undefined ? {} : { onCardAction: onLarkCardAction }),
      },
      router,
    ),
  ]
  const all = [...doors, forgetting(db, log)]
  return {
    start: async () => void (await Promise.all(all.map((door) => door.start()))),
    stop: async () => void (await Promise.all(all.map((door) => door.stop()))),
  }
}

/** Drops ids of old events now and then. */
function forgetting(db: Database, log: Logger): Doors {
  const seen = seenEvents(db)
  let timer: NodeJS.Timeout | null = null
  const forget = () => {
    seen.prune().catch((err) => log.warn({ err }, 'old events were not forgotten; it is tried again'))
  }
  return {
    async start() {
      forget()
      timer = setInterval(forget, FORGET_EVERY_MS)
      timer.unref()
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
    },
  }
}
