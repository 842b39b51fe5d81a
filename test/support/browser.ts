import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'
/** Not the package's own flags: they put everything in one process, which hangs when one of several readers leaves. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A real browser that meets nothing but this machine. Close it. */
export async function openBrowser(): Promise<Browser> {
  const isInstalled = existsSync(SYSTEM_CHROMIUM)
  return playwright.launch({
    executablePath: isInstalled ? SYSTEM_CHROMIUM : await chromium.executablePath(),
    args: FLAGS,
    headless: true,
  })
}
