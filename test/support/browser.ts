import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']

/** A real browser that meets nothing but this machine. Close it. */
export async function openBrowser(): Promise<Browser> {
  const isInstalled = existsSync(SYSTEM_CHROMIUM)
  return playwright.launch({
    executablePath: isInstalled ? SYSTEM_CHROMIUM : await chromium.executablePath(),
    args: isInstalled ? FLAGS : [...new Set([...chromium.args, ...FLAGS])],
    headless: true,
  })
}
