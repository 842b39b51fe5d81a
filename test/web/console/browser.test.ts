import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR_KEY } from '../../support/console.js'
import { aRun, inLark } from '../../support/engine.js'
import { headingOf, openReaders, type Readers } from '../../support/readers.js'

const EVIL = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>'"`

let readers: Readers

beforeAll(async () => {
  readers = await openReaders()
}, 60_000)
afterEach(() => readers.leave())
afterAll(() => readers.close())

describe('signing in and out', () => {
  test('a wrong key is told so; the right one leads to where the reader wanted to go', async () => {
    const { context, faults } = await readers.reader()
    const page = await context.newPage()
    await page.goto(`${readers.service.url}/console/installations`)
    expect(await headingOf(page)).toBe('Sign in')
    await page.getByLabel('API key').fill('lw_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('not one of ours')
    await page.getByLabel('API key').fill(OPERATOR_KEY)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await headingOf(page)).toBe('Installations')
    // The refused key is a 401, which the browser notes.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
    const [session] = (await context.cookies()).filter(({ name }) => name === 'lastword_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' })

    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByRole('status').textContent()).toBe('You are signed out.')
    await context.addCookies(session === undefined ? [] : [session])
    await page.goto(`${readers.service.url}/console`)
    expect(await headingOf(page)).toBe('Sign in')
  })

  test('a key without the right is refused, and a revoked one ends its sessions', async () => {
    const { context } = await readers.reader()
    const poor = await readers.service.key(['runs:write', 'deliveries:read'])
    const page = await context.newPage()
    await page.goto(`${readers.service.url}/console`)
    await page.getByLabel('API key').fill(poor.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('does not have the right')

    const good = await readers.service.key(['console'])
    const inside = await readers.service.signedIn(context, good.key)
    expect(await headingOf(inside)).toBe('Overview')
    await readers.engine.database.pool.query('update api_keys set revoked_at = now() where id = $1', [
      good.id,
    ])
    await inside.reload()
    expect(await headingOf(inside)).toBe('Sign in')
  })

  test('a link on another site finds the reader still signed in', async () => {
    const { context } = await readers.reader()
    await readers.service.signedIn(context)
    const page = await context.newPage()
    await page.goto(`${readers.service.url.replace('127.0.0.1', 'localhost')}/console/login`)
    await page.evaluate(`location.href = '${readers.service.url}/console/deliveries'`)
    await page.waitForURL(`${readers.service.url}/console/deliveries`)
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  })
})

describe('finding a delivery', () => {
  test('from the overview by the slash key, the run id and the link to its whole story', async () => {
    const { context, faults } = await readers.reader()
    await readers.delivered('The **build** is green.', {
      runId: 'run_green',
      trigger: { kind: 'user', requester: 'U1', via: 'slack' },
    })
    const page = await readers.service.signedIn(context)
    await page.keyboard.press('/')
    await page.waitForURL(/deliveries/)
    await page.goto(`${readers.service.url}/console/deliveries`)
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('run')
    await page.keyboard.type('run_green')
    await page.keyboard.press('Enter')
    await page.waitForURL(/run=run_green/)
    await page.getByRole('link', { name: 'run_green' }).click()
    expect(await headingOf(page)).toBe('Run run_green')
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
    const { context } = await readers.reader()
    const page = await readers.service.signedIn(context)
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByLabel('State').selectOption('dead')
    await page.getByLabel('Code or reason').fill('invalid_blocks')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(/state=dead/)
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.waitForURL(`${readers.service.url}/console/deliveries`)
    await page.goto(`${readers.service.url}/console/deliveries?run=nobody`)
    expect(await page.locator('main').textContent()).toContain('No delivery matches.')
  })

  test('what a run says is shown and never runs', async () => {
    const { context, faults } = await readers.reader()
    const runId = 'run "><b>bold</b>'
    const inChat = await readers.delivered(`Look: ${EVIL}\n\n[click](javascript:alert(1))`)
    // Our own door refuses such an id; what stands in the database is not trusted for it.
    await readers.engine.database.pool.query('update deliveries set run_id = $2 where id = $1', [
      inChat,
      runId,
    ])
    const page = await readers.service.signedIn(context)
    await page.goto(`${readers.service.url}/console/deliveries/${inChat}`)
    expect(await headingOf(page)).toBe(`Run ${runId}`)
    expect(await page.locator('.seen').textContent()).toContain(`document.title='owned'`)
    expect(await page.locator('.seen img, .seen script, main b, a[href^="javascript:"]').count()).toBe(0)
    await page.goto(`${readers.service.url}/console/deliveries?run=${encodeURIComponent(EVIL)}`)
    expect(await page.getByLabel('Run id').inputValue()).toBe(EVIL)
    expect(await page.title()).toBe('Deliveries – Lastword')
    expect(faults).toEqual([])
  })

  test('a Lark delivery shows its card', async () => {
    const { context } = await readers.reader()
    const { deliveryId } = await readers.engine.deliver(
      aRun(inLark(readers.engine.group()), {
        outcome: { status: 'truncated', partialOutput: 'So **far**.', errorCode: 'output_limit' },
      }),
    )
    const page = await readers.service.signedIn(context)
    await page.goto(`${readers.service.url}/console/deliveries/${deliveryId}`)
    expect(await page.locator('.seen .tone.cut').count()).toBe(1)
    expect(await page.locator('.seen strong').textContent()).toBe('far')
  })
})
