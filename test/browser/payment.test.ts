import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { report } from '../hard/support/figures.ts'
import type { JsonObject } from '../support/answer.ts'
import type { ClientFields } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { violationsIn } from './support/accessible.ts'
import { payloads } from './support/payloads.ts'
import { type Shop, startShop } from './support/shop.ts'
import { newVisitor, type Visit, visit } from './support/visit.ts'

/** One for all tests of this file: each takes a client of its own. */
const emulator = await startTestEmulator({}, afterAll)

/** An order that waits for its payer, and the path of its page. */
async function ordered(changes: JsonObject = {}, fields: ClientFields = {}) {
  const client = await emulator.addClient(fields)
  const created = await client.createCheckout(client.checkout('r1', { mode: 'returnUrl', ...changes }))
  return { client, path: `/pay/${created.json.token}` }
}

/** The page of a new order that leads back to a shop. */
async function inShop(how: Visit = {}) {
  const shop = await startShop()
  const { client, path } = await ordered({ callbackUrl: `${shop.url}/back?x=1#thanks` })
  const page = await visit(emulator, path, { elsewhere: [shop.url], ...how })
  return { shop, client, path, page }
}

const choose = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** The data that the returning browser sent to the shop. */
function told({ asked }: Shop): unknown {
  const [path = '', data = ''] = asked[0]?.split('&data=') ?? []
  return [path, JSON.parse(Buffer.from(data, 'base64url').toString()).orderStatus]
}

describe.each([true, false])('with scripts: %s', (javaScript) => {
  test('who pays comes back to the shop, and the order is COMPLETED', async () => {
    const { page, shop, client } = await inShop({ javaScript })
    await choose(page, 'Pay $10.00')
    await page.waitForURL(/\/back\?x=1&data=[\w-]+#thanks$/)
    expect(told(shop)).toEqual(['/back?x=1', 'CREATED'])
    await client.advance('3s')
    expect((await client.order('r1')).orderStatus).toBe('COMPLETED')
  })

  test('who declines chooses the code, and comes back too', async () => {
    const { page, shop, client } = await inShop({ javaScript })
    await page.getByLabel('Error code').selectOption('9005')
    await choose(page, 'Decline')
    await page.waitForURL(/\/back/)
    expect(told(shop)).toEqual(['/back?x=1', 'FAILED'])
    expect((await client.order('r1')).errorReason).toMatchObject({ errorCode: '9005' })
  })

  test('who leaves stays here, and is told that nothing was paid', async () => {
    const { page, shop, client } = await inShop({ javaScript })
    await choose(page, 'Leave without paying')
    await page.getByRole('heading', { name: 'Left without paying' }).waitFor()
    expect(shop.asked).toEqual([])
    expect((await client.order('r1')).orderStatus).toBe('CREATED')
  })

  test('who tabs to the button and presses Enter has paid', async () => {
    const { page, client } = await inShop({ javaScript })
    const button = page.getByRole('button', { name: 'Pay $10.00' })
    await page.keyboard.press('Tab')
    if (!javaScript) await page.keyboard.press('Tab')
    expect(await button.evaluate((node) => node.matches(':focus-visible'))).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/back/)
    expect((await client.order('r1')).history).toMatchObject([{}, { what: 'paid' }, {}])
  })
})

describe('who waits', () => {
  test('is sent back to the shop when the order has ended', async () => {
    const { page, shop, client } = await inShop()
    await client.pay('r1', 'completed')
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await client.advance('3s')
    await page.waitForURL(/\/back\?x=1&data=[\w-]+#thanks$/)
    expect(told(shop)).toEqual(['/back?x=1', 'COMPLETED'])
  })

  test('without scripts too, once the payment has been made', async () => {
    const { page, shop, client } = await inShop({ javaScript: false })
    await client.pay('r1', 'completed')
    await page.getByRole('link', { name: 'Refresh' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await client.advance('3s')
    await page.waitForURL(/\/back/)
    expect(told(shop)).toEqual(['/back?x=1', 'COMPLETED'])
  })

  test('keeps the chosen code when the clock gets another pace', async () => {
    const { client, path } = await ordered()
    const page = await visit(emulator, path)
    await page.getByLabel('Error code').selectOption('9005')
    await emulator.control(`/clock?clientId=${client.clientId}`, 'PUT', { mode: 'real', speed: 60 })
    await page.getByText('The clock of this test runs 60 times as fast.').waitFor()
    expect(await page.getByLabel('Error code').inputValue()).toBe('9005')
  })
})

describe('without a reload by hand', () => {
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

  test('the page sees that the time is over', async () => {
    const { client, path } = await ordered()
    const page = await visit(emulator, path)
    await client.advance('15m')
    await heading(page, 'Too late')
    expect(await page.getByRole('button').count()).toBe(0)
  })

  test('it sees an order move by itself, and its end', async () => {
    const { client, path } = await ordered()
    const page = await visit(emulator, path)
    await client.pay('r1', 'completed')
    await heading(page, 'Paid')
    await client.advance('3s')
    await heading(page, 'Payment complete')
  })

  test('it does not call back a payer who is on the way to a shop that takes its time', async () => {
    const { promise: isTime, resolve: answer } = Promise.withResolvers<void>()
    const shop = await startShop(isTime)
    const { path } = await ordered({ callbackUrl: `${shop.url}/back?x=1` })
    const page = await visit(emulator, path, { elsewhere: [shop.url] })
    await page.getByRole('button', { name: 'Pay $10.00' }).click({ noWaitAfter: true })
    // The first of these may have been asked for before.
    for (let asked = 0; asked < 2; asked += 1) await page.waitForResponse(/\/state$/)
    answer()
    await page.waitForURL(/\/back/)
    expect(told(shop)).toEqual(['/back?x=1', 'CREATED'])
  })

  test('it stays, and says so, where the payer goes back to an app', async () => {
    const { path } = await ordered({ callbackUrl: 'myshop://paid' })
    const page = await visit(emulator, path, { elsewhere: ['myshop:/'] })
    await page.getByRole('button', { name: 'Pay $10.00' }).click({ noWaitAfter: true })
    await page.getByRole('heading', { name: 'Paid' }).waitFor({ timeout: 10_000 })
  })

  test('it counts down from where the clock has jumped to', async () => {
    const { client, path } = await ordered()
    const page = await visit(emulator, path)
    await page.getByRole('timer').getByText('15:00').waitFor()
    await client.advance('14m')
    await page.getByRole('timer').getByText('01:00').waitFor()
  })

  test('it stands still on a manual clock, however long somebody looks at it', async () => {
    const { path } = await ordered()
    const page = await newVisitor(emulator)
    await page.clock.install()
    await page.goto(`${emulator.url}${path}`)
    await page.clock.fastForward('05:00')
    expect(await page.getByRole('timer').textContent()).toBe('15:00')
  })

  test('it counts 60 times as fast on a clock that does', async () => {
    const { path } = await ordered({}, { clock: { speed: 60 } })
    const page = await newVisitor(emulator, { expected: [/ERR_FAILED/] })
    // Blocks the state requests, so that the page counts down alone.
    await page.route('**/state', (route) => route.abort())
    await page.goto(`${emulator.url}${path}`)
    const secondsLeft = async () => {
      const [minutes, seconds] = ((await page.getByRole('timer').textContent()) ?? '').split(':').map(Number)
      return (minutes ?? 0) * 60 + (seconds ?? 0)
    }
    const before = await secondsLeft()
    // Long before half a minute is over.
    await expect.poll(secondsLeft, { timeout: 5_000 }).toBeLessThan(before - 30)
  })

  test('what was too late without scripts is told after the click', async () => {
    const { client, path } = await ordered()
    const page = await visit(emulator, path, { javaScript: false })
    await client.advance('15m')
    await choose(page, 'Pay $10.00')
    await page.getByText('Nothing was changed').waitFor()
    await heading(page, 'Too late')
    expect((await client.order('r1')).history).toHaveLength(1)
  })
})

test.each(['frame', 'sandbox'])(
  'in a %s of the shop the payer pays, and the shop comes back in it',
  async (how) => {
    const shop = await startShop()
    const { path } = await ordered({ callbackUrl: `${shop.url}/back` })
    const page = await newVisitor(emulator, { elsewhere: [shop.url] })
    await page.goto(`${shop.url}/${how}?${encodeURIComponent(emulator.url + path)}`)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('timer').getByText('15:00').waitFor()
    await frame.getByRole('button', { name: 'Pay $10.00' }).click()
    await frame.getByRole('heading', { name: 'Thanks' }).waitFor()
    expect(shop.asked.at(-1)).toMatch(/^\/back\?data=/)
  },
)

test('payer-decides: there is time for days, and then it goes as the payer chose', async () => {
  const client = await emulator.addClient({ defaultScenario: 'payer-decides' })
  const { json } = await client.createCheckout('r1')
  await client.advance('20d')
  const page = await visit(emulator, `/pay/${json.token}`)
  await page.getByRole('timer').getByText('10 days', { exact: true }).waitFor()
  await client.advance('1h')
  await page.getByRole('timer').getByText('9 days, 23 hours', { exact: true }).waitFor()
  await choose(page, 'Pay $10.00')
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await client.advance('3s')
  expect((await client.order('r1')).orderStatus).toBe('COMPLETED')
})

test.each([
  ['en', 'Pay $10.00', '30 days'],
  ['es', 'Pagar 10,00 US$', '30 días'],
  ['pt', 'Pagar US$ 10,00', '30 dias'],
  ['hi', '$10.00 का भुगतान करें', '30 दिन'],
])('in %s it says %s', async (lang, button, left) => {
  const { path } = await ordered({ lang }, { settings: { orders: { expiry: '30d' } } })
  const page = await visit(emulator, path)
  await page.getByRole('button', { name: button }).waitFor()
  await page.getByRole('timer').getByText(left, { exact: true }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe(lang)
})

test.each([390, 1280])('at %d pixels the codes to decline with are not cut off', async (width) => {
  const { path } = await ordered()
  const page = await visit(emulator, path, { width })
  const cut = await page
    .locator('#code, #code option, #codes, #codes li')
    .evaluateAll((parts) =>
      parts.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent),
    )
  expect(cut).toEqual([])
  expect(await page.locator('#codes').textContent()).toContain('by the payment partner')
})

/** One order for each look of the page. */
async function looks(): Promise<[string, string][]> {
  const word = 'x'.repeat(300)
  const open = await ordered({ userMessage: 'Two coffees', requestDescription: word, paymentMethodId: word })
  const app = await ordered({ mode: 'returnAppUrl', targetApp: 'x'.repeat(100), lang: 'pt' })
  const large = await ordered({ fiatAmount: `${'9'.repeat(40)}.99`, currencyId: 'y'.repeat(80) })
  const failed = await ordered({ callbackUrl: `https://shop.test/${word}` })
  await failed.client.pay('r1', 'failed')
  const paid = await ordered({ lang: 'hi' })
  await paid.client.pay('r1', 'completed')
  return Object.entries({ open, app, large, failed, paid }).map(([name, { path }]) => [name, path])
}

test('every look of the page is accessible, in light and dark, and scrolls sideways at no width', async () => {
  const page = await newVisitor(emulator, { width: 390, expected: [/404/] })
  for (const [name, path] of [...(await looks()), ['unknown', '/pay/nothing'] as const]) {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${emulator.url}${path}`)
    expect(await violationsIn(page), name).toEqual([])
    if (name !== 'unknown') await page.getByText(/^(For testers|Para quem testa|परीक्षकों के लिए)$/).click()
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const beyond = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(beyond, `${name} at ${width}`).toBeLessThanOrEqual(0)
    }
  }
})

describe('of what somebody wrote nothing runs', () => {
  const strange =
    'script:not([src$="payment.js"]), img, svg:not(.payment-sign), iframe, object, embed, base, style, form[action], [onload]'

  /** How much on a page is strange, and what each message of an order says. Both in one question, and not by a locator,
   *  for which Playwright brings a script of its own into each page. */
  const read = (page: Page) =>
    page.evaluate<[number, string[]]>(
      `[document.querySelectorAll(${JSON.stringify(strange)}).length,
        [...document.querySelectorAll('.payment-message')].map((message) => message.textContent)]`,
    )

  /** Opens one page after the other; what the browser complains about fails the test. */
  async function lookAt(texts: readonly string[]) {
    const page = await newVisitor(emulator)
    const { clientId } = await emulator.addClient()
    for (const text of texts) {
      const words = { userMessage: text, requestDescription: text, currencyId: text, paymentMethodId: text }
      const more = { requestId: text, callbackUrl: text, targetApp: text, lang: text, mode: 'returnAppUrl' }
      const { json } = await emulator.control('/orders', 'POST', { clientId, ...words, ...more })
      await page.goto(`${emulator.url}/pay/${json.token}`, { waitUntil: 'domcontentloaded' })
      expect(await read(page)).toEqual([0, [text]])
    }
  }

  test(`${payloads.length} payloads in every text of an order`, async () => {
    // A scheme must stay at the start.
    const alone = payloads.filter((text) => text.startsWith('javascript:'))
    const others = payloads.filter((text) => !alone.includes(text))
    const texts = [...alone]
    while (others.length > 0) texts.push(others.splice(0, 7).join(' '))
    await Promise.all([0, 1, 2].map((n) => lookAt(texts.filter((_, at) => at % 3 === n))))
    report({
      area: 'web',
      promise: 'Of what stands in an order nothing runs or loads on its payment page',
      test: 'test/browser/payment.test.ts',
      figures: { payloads: payloads.length, texts: 8, ran: 0 },
    })
  })

  test('all of them as descriptions of error codes', async () => {
    const catalog = Object.fromEntries(payloads.map((text, index) => [`e${index}`, text]))
    const { client, path } = await ordered({}, { settings: { errors: { catalog } } })
    const page = await visit(emulator, path)
    expect(await page.locator('option').count()).toBe(payloads.length + 3)
    expect(await page.locator(strange).count()).toBe(0)
    await client.pay('r1', 'failed', 'e3')
    await page
      .locator('.note.bad')
      .getByText(payloads[3] ?? '')
      .waitFor()
    expect(await page.locator(strange).count()).toBe(0)
  })
})
