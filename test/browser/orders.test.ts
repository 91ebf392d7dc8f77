import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { Receiver } from '../support/receiver.ts'
import { violationsIn } from './support/accessible.ts'
import { newVisitor, visit } from './support/visit.ts'

const emulator = await startTestEmulator({}, afterAll)

const receiver = new Receiver()
afterAll(() => receiver.close())

/** Orders of all looks: failed, refused deliveries, waiting, a subscription in its third month. Only the last test adds
 *  one. */
beforeAll(async () => {
  await receiver.listen()
  receiver.answerWith({ status: 500 })
  const c1 = await emulator.addClient({ clientId: 'C1', webhookUrl: receiver.url })
  const make = (order: object) => emulator.control('/orders', 'POST', { clientId: 'C1', ...order })
  await make({ requestId: 'sub', kind: 'subscription' })
  await make({ requestId: 'failed', scenario: 'fail-9004' })
  await c1.advance('P2M')
  await make({ requestId: `long-${'x'.repeat(300)}`, scenario: 'payer-decides', metadata: { cart: '42' } })
  await make({ requestId: 'running' })
  await c1.settle()
})

async function pathOf(requestId: string): Promise<string> {
  const [first] = (await emulator.control(`/orders?requestId=${requestId}&charge=1`)).items
  return `/_emulator/ui/orders/${first?.orderId}`
}

test('list, orders and users are accessible, and not wider than a phone', async () => {
  const page = await newVisitor(emulator)
  const long = await pathOf('long-*')
  for (const path of ['/_emulator/ui/orders', '/_emulator/ui/users', await pathOf('sub'), long]) {
    await page.setViewportSize({ width: path === long ? 390 : 1280, height: 800 })
    await page.goto(`${emulator.url}${path}`)
    expect(await violationsIn(page), path).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    const [wide, room] = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth])
    expect(wide, path).toBe(room)
  }
})

test('the time line draws every attempt within the picture, and its words stand in for it on a phone', async () => {
  const path = await pathOf('sub')
  const page = await visit(emulator, path)
  const picture = page.locator('.time-line svg')
  const [frame, marks] = [await picture.boundingBox(), await page.locator('.mark').all()]
  expect(marks.length).toBeGreaterThan(10)
  for (const mark of marks) {
    const box = await mark.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(frame?.x ?? Infinity)
    expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(
      (frame?.x ?? 0) + (frame?.width ?? 0),
    )
  }
  const phone = await visit(emulator, path, { width: 390 })
  expect(await phone.locator('.time-line').isVisible()).toBe(false)
  expect(await phone.getByRole('link', { name: 'Charge 2: COMPLETED' }).isVisible()).toBe(true)
})

test('without JavaScript an order is made, found, and declined with a chosen code', async () => {
  const page = await visit(emulator, '/_emulator/ui/orders?clientId=C1', { javaScript: false })
  await page.getByText('New order').click()
  await page.getByLabel('Scenario').last().selectOption('payer-decides')
  await page.getByLabel('E-mail', { exact: true }).fill('found@example.com')
  await page.getByRole('button', { name: 'Create the order' }).click()
  await page.getByLabel('Search').fill('FOUND@')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.locator('table.orders a.id').click()
  await page.getByLabel('Error code').fill('9005')
  await page.getByRole('button', { name: 'Decline' }).click()
  expect(await page.locator('.order-head').textContent()).toContain('9005')
  const [order] = (await emulator.control(`/orders?clientId=C1&email=found@example.com`)).items
  expect(order?.orderStatus).toBe('FAILED')
})

test.each([true, false])(
  'an order is kept as a test of a chosen runner, with JavaScript: %s',
  async (javaScript) => {
    const page = await visit(emulator, await pathOf('failed'), { javaScript })
    await page.getByRole('link', { name: 'Keep as test' }).click()
    expect(await page.locator('#scenario-text').textContent()).toContain(
      '- { at: 4s, order: FAILED, error: "9004" }',
    )
    expect(await page.locator('#test-text').textContent()).toContain("from 'vitest'")
    await page.getByRole('link', { name: 'pytest', exact: true }).click()
    expect(await page.locator('#test-text').textContent()).toContain(
      'def test_the_order_sends_the_same_webhooks',
    )
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Download kept-/ }).click()
    expect((await download).suggestedFilename()).toMatch(/^kept-.*\.yaml$/)
    expect(await page.getByRole('button', { name: 'Copy' }).first().isVisible()).toBe(javaScript)
    if (!javaScript) return
    expect(await violationsIn(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    const [wide, room] = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth])
    expect(wide).toBe(room)
  },
)
