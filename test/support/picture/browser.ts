import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Takes pictures of HTML pages; `shoot` writes a PNG of the whole page. Nothing is fetched. */
export interface Camera {
  shoot(html: string, path: string, widthPx: number): Promise<void>
}

export async function withCamera(work: (camera: Camera) => Promise<void>): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'lastword-picture-'))
  const system = existsSync(SYSTEM_CHROMIUM)
  const context = await playwright.launchPersistentContext(profile, {
    executablePath: system ? SYSTEM_CHROMIUM : await chromium.executablePath(),
    args: system ? FLAGS : [...new Set([...chromium.args, ...FLAGS])],
    headless: true,
    offline: true,
  })
  try {
    const page = await context.newPage()
    await work({
      shoot: async (html, path, widthPx) => {
        await page.setViewportSize({ width: widthPx, height: 600 })
        await page.setContent(html)
        await page.screenshot({ path, fullPage: true })
      },
    })
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}
