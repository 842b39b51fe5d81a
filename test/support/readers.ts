import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from './browser.js'
import { type ConsoleUnderTest, startConsole } from './console.js'
import { aRun, type EngineUnderTest, inSlack, saying, startEngine } from './engine.js'
import { SLACK } from './slack/fake.js'
import { addTroubles, type Troubles } from './troubles.js'

/** The console over a real engine with some troubles, and real browsers in front of it. */
export interface Readers {
  readonly engine: EngineUnderTest
  readonly service: ConsoleUnderTest
  readonly troubles: Troubles
  /** A reader of their own, and everything their browser complained about. */
  reader(options?: BrowserContextOptions): Promise<Reader>
  /** Delivers a run into a new Slack channel; its delivery's id. */
  delivered(output: string, change?: object): Promise<string>
  /** Closes what the readers of one test had open. */
  leave(): Promise<void>
  close(): Promise<void>
}

export interface Reader {
  readonly context: BrowserContext
  readonly faults: readonly string[]
}

export async function openReaders(): Promise<Readers> {
  const [browser, engine] = await Promise.all([openBrowser(), startEngine()])
  const service = await startConsole(engine)
  const troubles = await addTroubles(engine.database.db)
  const contexts: BrowserContext[] = []
  return {
    engine,
    service,
    troubles,
    async reader(options = {}) {
      const context = await browser.newContext({ locale: 'en-US', ...options })
      contexts.push(context)
      const faults: string[] = []
      context.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      context.on('weberror', (error) => faults.push(error.error().message))
      return { context, faults }
    },
    async delivered(output, change = {}) {
      const conversation = inSlack(engine.channel(), { workspace: SLACK.team })
      const { deliveryId } = await engine.deliver(aRun(conversation, { ...saying(output), ...change }))
      return deliveryId
    },
    async leave() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
    },
    async close() {
      await browser.close()
      await service.close()
      await engine.close()
    },
  }
}

/** The one heading of the first level. */
export const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
