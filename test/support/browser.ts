import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type BrowserContext, type BrowserContextOptions, chromium as playwright } from 'playwright-core'

/** Quiet and on its own: nothing is fetched that a page did not ask for. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A real Chromium from npm. Each context is a reader of their own. */
export interface TestBrowser {
  open(options?: BrowserContextOptions): Promise<BrowserContext>
  close(): Promise<void>
}

export async function launchBrowser(): Promise<TestBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'lastword-browser-'))
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    headless: true,
    args: ARGS,
    env: { ...process.env, HOME: home },
  })
  return {
    open: (options = {}) => browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options }),
    async close() {
      await browser.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
