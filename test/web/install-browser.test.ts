import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'emulate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { type InstallService, startInstallService } from '../support/slack/installs.js'
import { listen } from '../support/slack/wire.js'

let browser: Browser
let database: TestDatabase
let emulator: Emulator
let service: InstallService

beforeAll(async () => {
  browser = await openBrowser()
  database = await createTestDatabase()
  const probe = createServer()
  const port = await listen(probe, 0)
  await new Promise<void>((done) => probe.close(() => done()))
  emulator = await createEmulator({
    service: 'slack',
    port,
    seed: {
      slack: { team: { name: 'Emulated', domain: 'emulated' }, users: [{ name: 'ann', real_name: 'Ann' }] },
    },
  })
  service = await startInstallService(database.db, `${emulator.url}/api/`)
}, 60_000)
afterAll(async () => {
  await browser.close()
  await service.close()
  await emulator.close()
  await database.close()
})

/** A page of a person with this language, and everything the page was refused or complained about. */
async function openAs(locale: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const context = await browser.newContext({ locale, viewport: { width: 360, height: 640 } })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  return { page, faults }
}

const isScrollable = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

test('a person adds the app from our page, over Slack’s, to the page that says so', async () => {
  const { page, faults } = await openAs('en-GB')
  await page.goto(`${service.url}/slack/install`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Add Lastword to Slack')
  await page.getByRole('link', { name: 'Add to Slack' }).click()
  await page.getByRole('button', { name: /ann/i }).first().click()
  await page.waitForURL(/oauth_redirect/)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('was added to')
  expect(faults).toEqual([])
  const stored = await database.db.selectFrom('installations').select('state').execute()
  expect(stored).toEqual([{ state: 'active' }])

  await page.reload()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Lastword was not added')
  await page.getByRole('link', { name: 'Start again' }).click()
  expect(page.url()).toBe(`${service.url}/slack/install`)
})

test.each([
  ['ar-EG', 'ar', 'rtl'],
  ['he-IL', 'he', 'rtl'],
  ['zh-TW', 'zh-Hant', 'ltr'],
  ['de-AT', 'de', 'ltr'],
  ['nl-NL', 'en', 'ltr'],
])('a person whose browser speaks %s reads %s, %s, on a small phone', async (locale, language, direction) => {
  const { page, faults } = await openAs(locale)
  await page.goto(`${service.url}/slack/install`)
  const html = page.locator('html')
  expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual([language, direction])
  expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('grid')
  expect(await isScrollable(page)).toBe(false)
  expect(faults).toEqual([])
  await page.goto(`${service.url}/slack/oauth_redirect?error=access_denied`)
  expect(await html.getAttribute('dir')).toBe(direction)
  expect(await isScrollable(page)).toBe(false)
})
