import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { freePort } from '../../tools/free-port.ts'
import { startFixture } from '../support/emulator.ts'
import { newVisitor, visit } from './support/visit.ts'

const rows = (page: Page) => page.locator('#live tbody tr')
const isLive = (page: Page) => page.locator('#pulse[data-state="live"]').waitFor()

/** Requests for a page of the dashboard from now on, as they come. */
function askedBy(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/_emulator/ui/orders') asked.push(request.url())
  })
  return asked
}

test('a new order appears by itself, at the top', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('first')
  const page = await visit(emulator, '/_emulator/ui/orders')
  await isLive(page)
  await c1.createCheckout('second')
  await page.getByRole('link', { name: 'second' }).waitFor()
  expect(await rows(page).count()).toBe(2)
  expect(await rows(page).first().textContent()).toContain('second')
})

test('what happened before the stream was open is not missed', async () => {
  const { emulator, c1 } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/orders')
  await c1.createCheckout('early')
  await page.getByRole('link', { name: 'early' }).waitFor()
})

test('a status changes where it stands; its row stays the same element', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const page = await visit(emulator, '/_emulator/ui/orders')
  await isLive(page)
  await page.evaluate("document.querySelector('#live tbody tr').mine = 'kept'")
  await c1.advance('1h')
  await page.locator('#live .status', { hasText: 'COMPLETED' }).first().waitFor()
  expect(await page.evaluate("document.querySelector('#live tbody tr').mine")).toBe('kept')
})

test('what is typed into the filter, the caret and the focus survive updates', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('apple-1')
  await c1.createCheckout('pear-1')
  const page = await visit(emulator, '/_emulator/ui/orders')
  await isLive(page)
  const search = page.locator('.tools input[type="search"]')
  await search.pressSequentially('apple')
  await expect.poll(() => rows(page).count()).toBe(1)
  await search.press('ArrowLeft')
  await c1.createCheckout('apple-2')
  await page.getByRole('link', { name: 'apple-2' }).waitFor()
  expect(await search.inputValue()).toBe('apple')
  await search.and(page.locator(':focus')).waitFor()
  expect(await page.evaluate('document.activeElement.selectionStart')).toBe(4)
  expect(await rows(page).count()).toBe(2)
})

test('a filter applies as one types, and the address holds it', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('apple')
  await c1.createCheckout('pear')
  const page = await visit(emulator, '/_emulator/ui/orders?clientId=C1')
  await page.locator('.tools input[type="search"]').fill('pear')
  await expect.poll(() => rows(page).count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('clientId')).toBe('C1')
  await page.reload()
  expect(await rows(page).count()).toBe(1)
  await page.locator('.tools input[type="search"]').press('Escape')
  await expect.poll(() => rows(page).count()).toBe(2)
})

test('open details stay open', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const { orderId } = Object(await c1.order('r1'))
  const page = await visit(emulator, `/_emulator/ui/orders/${orderId}`)
  await isLive(page)
  const details = page.locator('#live #json')
  await details.locator('summary').first().click()
  await c1.advance('1h')
  await page.locator('#live .status', { hasText: 'COMPLETED' }).first().waitFor()
  expect(await details.getAttribute('open')).not.toBeNull()
})

test('nothing changes while text is selected, and all of it afterwards', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const page = await visit(emulator, '/_emulator/ui/orders')
  await isLive(page)
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('#live tbody tr'))")
  await c1.createCheckout('r2')
  await page.locator('#pulse[data-state="held"]').waitFor()
  expect(await rows(page).count()).toBe(1)
  await page.evaluate('getSelection().removeAllRanges()')
  await page.getByRole('link', { name: 'r2' }).waitFor()
})

test('where one has scrolled to stays in sight', async () => {
  const { emulator, c1 } = await startFixture()
  for (let n = 0; n < 40; n += 1) await c1.createCheckout(`r${n}-`)
  const page = await visit(emulator, '/_emulator/ui/orders', { height: 500 })
  await isLive(page)
  const row = page.getByRole('link', { name: 'r10-' })
  await row.scrollIntoViewIfNeeded()
  const before = await row.boundingBox()
  await c1.createCheckout('new')
  await page.getByRole('link', { name: 'new', exact: true }).waitFor({ state: 'attached' })
  expect(Math.abs(((await row.boundingBox())?.y ?? 0) - (before?.y ?? 1e6))).toBeLessThan(3)
})

test('a paused page stays as it is, and catches up when it goes on', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const page = await visit(emulator, '/_emulator/ui/orders')
  await isLive(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  const asked = askedBy(page)
  const other = await page.context().newPage()
  await other.goto(`${emulator.url}/_emulator/ui/orders`)
  await isLive(other)
  await c1.createCheckout('r2')
  // Both hear of it on the one stream that they share.
  await other.getByRole('link', { name: 'r2' }).waitFor()
  expect([asked, await rows(page).count()]).toEqual([[], 1])
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('link', { name: 'r2' }).waitFor()
})

test('what happens to another client is not asked about', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  const page = await visit(emulator, '/_emulator/ui/orders?clientId=C1')
  const others = await page.context().newPage()
  await others.goto(`${emulator.url}/_emulator/ui/orders?clientId=C2`)
  await isLive(page)
  await isLive(others)
  await c1.createCheckout('r2')
  await page.getByRole('link', { name: 'r2' }).waitFor()
  const asked = askedBy(page)
  // The call and its webhook are told after the order.
  let [seen, since] = [-1, 0]
  await expect
    .poll(() => {
      if (asked.length !== seen) [seen, since] = [asked.length, Date.now()]
      return Date.now() - since
    })
    .toBeGreaterThan(2_000)
  await c2.createCheckout('other')
  // Both hear of it on the one stream that they share.
  await others.getByRole('link', { name: 'other' }).waitFor()
  expect(asked).toHaveLength(seen)
})

test('many changes in a row cost few requests, one after the other', async () => {
  const { emulator, c1 } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/orders')
  await isLive(page)
  const open = new Set<Request>()
  let most = 0
  const asked = askedBy(page)
  page.on('request', (request) => {
    open.add(request)
    most = Math.max(most, open.size)
  })
  // One that was on its way already is not among them.
  page.on('requestfinished', (request) => open.delete(request))
  const begun = Date.now()
  for (let n = 0; n < 60; n += 1) await c1.createCheckout(`r${n}-`)
  await page.getByRole('link', { name: 'r59-' }).waitFor()
  const seconds = (Date.now() - begun) / 1000
  expect(most).toBe(1)
  expect(asked.length).toBeLessThanOrEqual(2 + seconds * 4)
})

test('all tabs of a browser share one stream, and none is open while no tab is looked at', async () => {
  const { emulator, c1 } = await startFixture()
  const streams = async () => {
    const { text } = await emulator.control('/metrics')
    return Number(/^payment_order_emulator_event_streams (\d+)/m.exec(text)?.[1] ?? Number.NaN)
  }
  const first = await newVisitor(emulator)
  const tabs = [first, await first.context().newPage(), await first.context().newPage()]
  for (const tab of tabs) await tab.goto(`${emulator.url}/_emulator/ui/orders`)
  for (const tab of tabs) await isLive(tab)
  await c1.createCheckout('r1')
  for (const tab of tabs) await tab.getByRole('link', { name: 'r1' }).waitFor()
  expect(await streams()).toBe(1)
  for (const tab of tabs) await tab.goto('about:blank')
  await expect.poll(streams).toBe(0)
})

test('a page says that its emulator is gone, and catches up when it is back', async () => {
  const port = await freePort()
  const first = await startFixture({}, { port })
  const page = await visit(first.emulator, '/_emulator/ui/orders', { expected: [/ERR_|Failed to load/] })
  await isLive(page)
  await first.emulator.close()
  await page.getByText('Reconnecting').waitFor()
  const { c1 } = await startFixture({}, { port })
  await c1.createCheckout('after')
  await page.getByRole('link', { name: 'after' }).waitFor()
  await isLive(page)
})

test('a fault that a test plans appears, and one that is taken back goes', async () => {
  const { emulator } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/faults')
  await page.locator('#pulse[data-state="live"]').waitFor()
  await emulator.control('/faults', 'POST', { clientId: 'C1', on: 'orders', effect: { status: 503 } })
  await page.locator('#live tbody', { hasText: '503' }).waitFor()
  await emulator.control('/faults', 'DELETE')
  await page.locator('#live', { hasText: 'Nothing is planned' }).waitFor()
})
