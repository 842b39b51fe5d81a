/**
 * Runs the sandbox, plays every sample, adds what goes wrong in life, and takes pictures of every page of the console:
 * `npx tsx test/support/picture/console.ts`. Light, dark and phone. Output: `.lastword/pictures/`, ignored by git.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { runDemo } from '../../../src/commands/demo.js'
import { type Serving, startServing } from '../../../src/commands/serve.js'
import { parseConfig } from '../../../src/config.js'
import { createLogger } from '../../../src/log.js'
import { openBrowser } from '../browser.js'
import { addTroubles } from '../troubles.js'

const OUTPUT = '.lastword/pictures'
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true },
  zh: { viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'zh-CN' },
  'zh-phone-dark': {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'zh-CN',
    isMobile: true,
  },
}

async function pagesOf(
  context: BrowserContext,
  { url, sandbox }: Serving,
): Promise<Readonly<Record<string, string>>> {
  const workspace = sandbox?.sandbox.slack.workspace ?? ''
  const page = await context.newPage()
  const first = async (address: string, pattern: string) => {
    await page.goto(`${url}${address}`)
    const links = page.locator(`main a[href*="${pattern}"]`)
    return (await links.count()) === 0 ? null : links.first().getAttribute('href')
  }
  const paths: Record<string, string | null> = {
    overview: '/console',
    deliveries: '/console/deliveries',
    'deliveries-none': '/console/deliveries?run=nobody',
    dead: '/console/deliveries?state=dead',
    installations: '/console/installations',
    missing: '/console/nowhere',
    'story-slack': await first(
      `/console/deliveries?installation=slack%3A${workspace}&state=delivered`,
      '/deliveries/dlv_',
    ),
    'story-first': await first('/console/deliveries?state=delivered', '/deliveries/dlv_'),
    'story-dropped': await first('/console/deliveries?state=dropped', '/deliveries/dlv_'),
    'story-trouble': await first('/console/deliveries?run=run_trouble', '/deliveries/dlv_'),
    installation: await first('/console/installations?state=parked', '/console/installations/'),
  }
  const trouble = paths['story-trouble']
  if (trouble !== null) paths.confirm = `${trouble}/replay`
  await page.close()
  return Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) => (path === null ? [] : [[name, path]])),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'lastword-pictures-'))
const config = parseConfig({ LASTWORD_DATA_DIR: folder, PORT: '0', LASTWORD_LOG_LEVEL: 'error' })
const serving = await startServing(config, createLogger('error'))
const browser = await openBrowser()
mkdirSync(OUTPUT, { recursive: true })
try {
  await addTroubles(serving.app.database.db)
  await runDemo(serving)
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await page.goto(`${serving.url}/console`)
    await page.screenshot({ path: join(OUTPUT, `console-login-${look}.png`), fullPage: true })
    await page.locator('#key').fill(serving.apiKey)
    await page.locator('main button').click()
    await page.waitForURL(/console$/)
    for (const [name, path] of Object.entries(await pagesOf(context, serving))) {
      await page.goto(`${serving.url}${path}`)
      const overflowPx = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (Number(overflowPx) > 0) process.stdout.write(`${look} ${name}: ${overflowPx} px too wide\n`)
      await page.screenshot({ path: join(OUTPUT, `console-${name}-${look}.png`), fullPage: true })
    }
    await context.close()
  }
} finally {
  await browser.close()
  await serving.close()
  rmSync(folder, { recursive: true, force: true })
}
