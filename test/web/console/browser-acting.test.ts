import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SLACK_INSTALLATION } from '../../support/engine.js'
import { headingOf, openReaders, type Readers } from '../../support/readers.js'

let readers: Readers

beforeAll(async () => {
  readers = await openReaders()
}, 60_000)
afterEach(() => readers.leave())
afterAll(() => readers.close())

describe('acting', () => {
  test('a dead delivery is replayed after a question', async () => {
    const { context } = await readers.reader()
    const page = await readers.service.signedIn(context)
    await page.goto(`${readers.service.url}/console/deliveries/${readers.troubles.dead}`)
    await page.getByRole('link', { name: 'Replay' }).click()
    expect(await headingOf(page)).toBe('Replay this delivery?')
    await page.getByRole('button', { name: 'Replay' }).click()
    expect(await page.getByRole('status').textContent()).toContain('put back')
    const { rows } = await readers.engine.database.pool.query(
      'select state, reason from deliveries where id = $1',
      [readers.troubles.dead],
    )
    expect(rows).toEqual([{ state: 'planned', reason: 'replayed' }])
  })

  test('a waiting delivery is cancelled, and cannot be twice', async () => {
    const { context } = await readers.reader()
    const page = await readers.service.signedIn(context)
    await page.goto(`${readers.service.url}/console/deliveries/${readers.troubles.parked}`)
    await page.getByRole('link', { name: 'Cancel' }).click()
    const second = await context.newPage()
    await second.goto(page.url())
    await page.getByRole('button', { name: 'Cancel the delivery' }).click()
    expect(await page.getByRole('status').textContent()).toBe('It was cancelled.')
    expect(await page.locator('main').textContent()).toContain('cancelled by an operator')
    await second.getByRole('button', { name: 'Cancel the delivery' }).click()
    expect(await headingOf(second)).toBe('Too late')
  })

  test('a parked installation is resumed', async () => {
    const { context } = await readers.reader()
    const page = await readers.service.signedIn(context)
    await page.getByRole('link', { name: 'Acme Robotics' }).click()
    await page.getByRole('link', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    expect(await page.getByRole('status').textContent()).toContain('resumed')
    const { rows } = await readers.engine.database.pool.query(
      'select state_code from installations where id = $1',
      [readers.troubles.parkedInstallation],
    )
    // Whatever the platform says of its token now, it is no longer what it was parked for.
    expect(rows).toHaveLength(1)
    expect(rows).not.toEqual([{ state_code: 'token_revoked' }])
  })

  test('a link to a sent message leads to it, a link to none to nowhere', async () => {
    const { context } = await readers.reader()
    const id = await readers.delivered('Linked.')
    await readers.service.signedIn(context)
    const open = (part: string) =>
      context.request.get(`${readers.service.url}/console/deliveries/${id}/parts/${part}/open`, {
        maxRedirects: 0,
      })
    const found = await open('0')
    expect([found.status(), found.headers().location?.startsWith('https://')]).toEqual([303, true])
    expect([(await open('7')).status(), (await open('x')).status()]).toEqual([404, 404])
  })
})

describe('who may see what', () => {
  test('a key for one installation sees only that one, and may not act without the right', async () => {
    const { context } = await readers.reader()
    const mine = await readers.delivered('Mine.', { runId: 'run_mine' })
    const { key } = await readers.service.key(['console'], [SLACK_INSTALLATION])
    const page = await readers.service.signedIn(context, key)
    await page.goto(`${readers.service.url}/console/deliveries`)
    expect(await page.locator('main').textContent()).not.toContain('run_trouble')
    await page.goto(`${readers.service.url}/console/deliveries/${mine}`)
    expect(await headingOf(page)).toBe('Run run_mine')
    for (const path of [
      `deliveries/${readers.troubles.dead}`,
      `installations/${encodeURIComponent(readers.troubles.parkedInstallation)}`,
    ]) {
      await page.goto(`${readers.service.url}/console/${path}`)
      expect(await headingOf(page)).toBe('Not found')
    }
    await page.goto(`${readers.service.url}/console/deliveries/${mine}/cancel`)
    expect(await headingOf(page)).toBe('Refused')
    await page.goto(`${readers.service.url}/console/installations`)
    expect(await page.locator('tbody tr').count()).toBe(1)
  })
})

describe('reading', () => {
  test('the language follows the browser, and the switch keeps the page', async () => {
    const { context } = await readers.reader({ locale: 'zh-CN' })
    const page = await readers.service.signedIn(context)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('概览')
    await page.goto(`${readers.service.url}/console/deliveries?state=dead`)
    await page.getByRole('button', { name: 'English' }).click()
    await page.waitForURL(`${readers.service.url}/console/deliveries?state=dead`)
    expect(await headingOf(page)).toBe('Deliveries')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test.each([
    ['a desk', { width: 1280, height: 800 }, 'light'],
    ['a phone', { width: 390, height: 844 }, 'dark'],
  ] as const)(
    'on %s every page fits, has its headings in order and a label for each field',
    async (_name, viewport, colorScheme) => {
      const { context, faults } = await readers.reader({ viewport, colorScheme })
      const long = await readers.delivered(
        `# Title\n\n${'word '.repeat(80)}\n\n\`\`\`\n${'x'.repeat(400)}\n\`\`\`\n\n| a | b |\n| - | - |\n| ${'c'.repeat(90)} | d |`,
        { runId: `run_${'y'.repeat(100)}${viewport.width}` },
      )
      const page = await readers.service.signedIn(context)
      for (const path of [
        '',
        '/deliveries',
        '/installations',
        `/installations/${encodeURIComponent(readers.troubles.parkedInstallation)}`,
        `/deliveries/${readers.troubles.dead}`,
        `/deliveries/${long}`,
      ]) {
        await page.goto(`${readers.service.url}/console${path}`)
        expect([
          path,
          await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        ]).toEqual([path, 0])
        const levels = await page
          .locator('h1, h2, h3')
          .evaluateAll((found) => found.map((one) => Number(one.tagName.slice(1))))
        expect(levels[0]).toBe(1)
        expect(levels.every((level, at) => at === 0 || level <= (levels[at - 1] ?? 0) + 1)).toBe(true)
        const unnamed = await page.evaluate(
          `[...document.querySelectorAll('input:not([type=hidden]), select')].filter((field) => field.labels.length === 0).length`,
        )
        expect(unnamed).toBe(0)
      }
      expect(faults).toEqual([])
    },
  )

  test('the first thing the keyboard reaches is the way past the bar, and everything reached can be seen', async () => {
    const { context } = await readers.reader()
    const page = await readers.service.signedIn(context)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  })
})
