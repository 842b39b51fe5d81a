import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../../support/browser.js'
import { type ConsoleUnderTest, OPERATOR_KEY, startConsole } from '../../support/console.js'
import {
  aRun,
  type EngineUnderTest,
  inLark,
  inSlack,
  SLACK_INSTALLATION,
  saying,
  startEngine,
} from '../../support/engine.js'
import { SLACK } from '../../support/slack/fake.js'
import { addTroubles, type Troubles } from '../../support/troubles.js'

const EVIL = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>'"`

let browser: Browser
let engine: EngineUnderTest
let service: ConsoleUnderTest
let troubles: Troubles
const contexts: BrowserContext[] = []

beforeAll(async () => {
  ;[browser, engine] = await Promise.all([openBrowser(), startEngine()])
  service = await startConsole(engine)
  troubles = await addTroubles(engine.database.db)
}, 60_000)

afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
})

afterAll(async () => {
  await browser.close()
  await service.close()
  await engine.close()
})

/** A reader of their own, and everything their browser complained about. */
async function reader(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  contexts.push(context)
  const faults: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  return { context, faults }
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

async function delivered(output: string, change: object = {}) {
  const { deliveryId } = await engine.deliver(
    aRun(inSlack(engine.channel(), { workspace: SLACK.team }), { ...saying(output), ...change }),
  )
  return deliveryId
}

describe('signing in and out', () => {
  test('a wrong key is told so; the right one leads to where the reader wanted to go', async () => {
    const { context, faults } = await reader()
    const page = await context.newPage()
    await page.goto(`${service.url}/console/installations`)
    expect(await heading(page)).toBe('Sign in')
    await page.getByLabel('API key').fill('lw_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('not one of ours')
    await page.getByLabel('API key').fill(OPERATOR_KEY)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await heading(page)).toBe('Installations')
    // The refused key is a 401, which the browser notes.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
    const [session] = (await context.cookies()).filter(({ name }) => name === 'lastword_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' })

    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByRole('status').textContent()).toBe('You are signed out.')
    await context.addCookies(session === undefined ? [] : [session])
    await page.goto(`${service.url}/console`)
    expect(await heading(page)).toBe('Sign in')
  })

  test('a key without the right is refused, and a revoked one ends its sessions', async () => {
    const { context } = await reader()
    const poor = await service.key(['runs:write', 'deliveries:read'])
    const page = await context.newPage()
    await page.goto(`${service.url}/console`)
    await page.getByLabel('API key').fill(poor.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('does not have the right')

    const good = await service.key(['console'])
    const inside = await service.signedIn(context, good.key)
    expect(await heading(inside)).toBe('Overview')
    await engine.database.pool.query('update api_keys set revoked_at = now() where id = $1', [good.id])
    await inside.reload()
    expect(await heading(inside)).toBe('Sign in')
  })

  test('a link on another site finds the reader still signed in', async () => {
    const { context } = await reader()
    await service.signedIn(context)
    const page = await context.newPage()
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/console/login`)
    await page.evaluate(`location.href = '${service.url}/console/deliveries'`)
    await page.waitForURL(`${service.url}/console/deliveries`)
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  })
})

describe('finding a delivery', () => {
  test('from the overview by the slash key, the run id and the link to its whole story', async () => {
    const { context, faults } = await reader()
    await delivered('The **build** is green.', {
      runId: 'run_green',
      trigger: { kind: 'user', requester: 'U1', via: 'slack' },
    })
    const page = await service.signedIn(context)
    await page.keyboard.press('/')
    await page.waitForURL(/deliveries/)
    await page.goto(`${service.url}/console/deliveries`)
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('run')
    await page.keyboard.type('run_green')
    await page.keyboard.press('Enter')
    await page.waitForURL(/run=run_green/)
    await page.getByRole('link', { name: 'run_green' }).click()
    expect(await heading(page)).toBe('Run run_green')
    const story = await page.getByRole('listitem').allInnerTexts()
    const order = [
      'Accepted from test',
      "Decided to show the agent's answer",
      'Called chat.postMessage for part 1',
      'Part 1 stands in the chat',
      'Ended: delivered',
      'Told producers: delivery.delivered',
    ]
    expect(order.map((what) => story.findIndex((entry) => entry.includes(what)))).toEqual([0, 1, 2, 3, 4, 5])
    expect(await page.locator('.seen strong').textContent()).toBe('build')
    expect(faults).toEqual([])
  })

  test('a search by state and code stands in the address and can be cleared', async () => {
    const { context } = await reader()
    const page = await service.signedIn(context)
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByLabel('State').selectOption('dead')
    await page.getByLabel('Code or reason').fill('invalid_blocks')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(/state=dead/)
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.waitForURL(`${service.url}/console/deliveries`)
    await page.goto(`${service.url}/console/deliveries?run=nobody`)
    expect(await page.locator('main').textContent()).toContain('No delivery matches.')
  })

  test('what a run says is shown and never runs', async () => {
    const { context, faults } = await reader()
    const runId = 'run "><b>bold</b>'
    const inChat = await delivered(`Look: ${EVIL}\n\n[click](javascript:alert(1))`)
    // Our own door refuses such an id; what stands in the database is not trusted for it.
    await engine.database.pool.query('update deliveries set run_id = $2 where id = $1', [inChat, runId])
    const page = await service.signedIn(context)
    await page.goto(`${service.url}/console/deliveries/${inChat}`)
    expect(await heading(page)).toBe(`Run ${runId}`)
    expect(await page.locator('.seen').textContent()).toContain(`document.title='owned'`)
    expect(await page.locator('.seen img, .seen script, main b, a[href^="javascript:"]').count()).toBe(0)
    await page.goto(`${service.url}/console/deliveries?run=${encodeURIComponent(EVIL)}`)
    expect(await page.getByLabel('Run id').inputValue()).toBe(EVIL)
    expect(await page.title()).toBe('Deliveries – Lastword')
    expect(faults).toEqual([])
  })

  test('a Lark delivery shows its card', async () => {
    const { context } = await reader()
    const { deliveryId } = await engine.deliver(
      aRun(inLark(engine.group()), {
        outcome: { status: 'truncated', partialOutput: 'So **far**.', errorCode: 'output_limit' },
      }),
    )
    const page = await service.signedIn(context)
    await page.goto(`${service.url}/console/deliveries/${deliveryId}`)
    expect(await page.locator('.seen .tone.cut').count()).toBe(1)
    expect(await page.locator('.seen strong').textContent()).toBe('far')
  })
})

describe('acting', () => {
  test('a dead delivery is replayed after a question', async () => {
    const { context } = await reader()
    const page = await service.signedIn(context)
    await page.goto(`${service.url}/console/deliveries/${troubles.dead}`)
    await page.getByRole('link', { name: 'Replay' }).click()
    expect(await heading(page)).toBe('Replay this delivery?')
    await page.getByRole('button', { name: 'Replay' }).click()
    expect(await page.getByRole('status').textContent()).toContain('put back')
    const { rows } = await engine.database.pool.query('select state, reason from deliveries where id = $1', [
      troubles.dead,
    ])
    expect(rows).toEqual([{ state: 'planned', reason: 'replayed' }])
  })

  test('a waiting delivery is cancelled, and cannot be twice', async () => {
    const { context } = await reader()
    const page = await service.signedIn(context)
    await page.goto(`${service.url}/console/deliveries/${troubles.parked}`)
    await page.getByRole('link', { name: 'Cancel' }).click()
    const second = await context.newPage()
    await second.goto(page.url())
    await page.getByRole('button', { name: 'Cancel the delivery' }).click()
    expect(await page.getByRole('status').textContent()).toBe('It was cancelled.')
    expect(await page.locator('main').textContent()).toContain('cancelled by an operator')
    await second.getByRole('button', { name: 'Cancel the delivery' }).click()
    expect(await heading(second)).toBe('Too late')
  })

  test('a parked installation is resumed', async () => {
    const { context } = await reader()
    const page = await service.signedIn(context)
    await page.getByRole('link', { name: 'Acme Robotics' }).click()
    await page.getByRole('link', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    expect(await page.getByRole('status').textContent()).toContain('resumed')
    const { rows } = await engine.database.pool.query('select state_code from installations where id = $1', [
      troubles.parkedInstallation,
    ])
    expect(rows).toHaveLength(1)
  })
})

describe('who may see what', () => {
  test('a key for one installation sees only that one, and may not act without the right', async () => {
    const { context } = await reader()
    const mine = await delivered('Mine.', { runId: 'run_mine' })
    const { key } = await service.key(['console'], [SLACK_INSTALLATION])
    const page = await service.signedIn(context, key)
    await page.goto(`${service.url}/console/deliveries`)
    expect(await page.locator('main').textContent()).not.toContain('run_trouble')
    await page.goto(`${service.url}/console/deliveries/${mine}`)
    expect(await heading(page)).toBe('Run run_mine')
    for (const path of [
      `deliveries/${troubles.dead}`,
      `installations/${encodeURIComponent(troubles.parkedInstallation)}`,
    ]) {
      await page.goto(`${service.url}/console/${path}`)
      expect(await heading(page)).toBe('Not found')
    }
    await page.goto(`${service.url}/console/deliveries/${mine}/cancel`)
    expect(await heading(page)).toBe('Refused')
    await page.goto(`${service.url}/console/installations`)
    expect(await page.locator('tbody tr').count()).toBe(1)
  })
})

describe('reading', () => {
  test('the language follows the browser, and the switch keeps the page', async () => {
    const { context } = await reader({ locale: 'zh-CN' })
    const page = await service.signedIn(context)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('概览')
    await page.goto(`${service.url}/console/deliveries?state=dead`)
    await page.getByRole('button', { name: 'English' }).click()
    await page.waitForURL(`${service.url}/console/deliveries?state=dead`)
    expect(await heading(page)).toBe('Deliveries')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test.each([
    ['a desk', { width: 1280, height: 800 }, 'light'],
    ['a phone', { width: 390, height: 844 }, 'dark'],
  ] as const)(
    'on %s every page fits, has its headings in order and a label for each field',
    async (_name, viewport, colorScheme) => {
      const { context, faults } = await reader({ viewport, colorScheme })
      const long = await delivered(
        `# Title\n\n${'word '.repeat(80)}\n\n\`\`\`\n${'x'.repeat(400)}\n\`\`\`\n\n| a | b |\n| - | - |\n| ${'c'.repeat(90)} | d |`,
        { runId: `run_${'y'.repeat(100)}${viewport.width}` },
      )
      const page = await service.signedIn(context)
      for (const path of [
        '',
        '/deliveries',
        '/installations',
        `/installations/${encodeURIComponent(troubles.parkedInstallation)}`,
        `/deliveries/${troubles.dead}`,
        `/deliveries/${long}`,
      ]) {
        await page.goto(`${service.url}/console${path}`)
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
    const { context } = await reader()
    const page = await service.signedIn(context)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  })
})
