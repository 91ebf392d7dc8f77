import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { violationsIn } from './support/accessible.ts'
import { visit } from './support/visit.ts'

/** Orders of all looks: failed, refused deliveries, waiting, a subscription in its third month. */
async function busyClient() {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  const make = (order: object) => emulator.control('/orders', 'POST', { clientId: 'C1', ...order })
  await make({ requestId: 'sub', kind: 'subscription' })
  await make({ requestId: 'failed', scenario: 'fail-9004' })
  await c1.advance('P2M')
  await make({ requestId: `long-${'x'.repeat(300)}`, scenario: 'payer-decides', metadata: { cart: '42' } })
  await make({ requestId: 'running' })
  await c1.settle()
  const pathOf = async (requestId: string) => {
    const [first] = (await emulator.control(`/orders?requestId=${requestId}&charge=1`)).items
    return `/_emulator/ui/orders/${first?.orderId}`
  }
  return { emulator, c1, pathOf }
}

test('list, orders and users are accessible', async () => {
  const { emulator, pathOf } = await busyClient()
  for (const path of ['/_emulator/', '/_emulator/ui/users', await pathOf('sub')]) {
    const page = await visit(emulator, path)
    expect(await violationsIn(page), path).toEqual([])
  }
})

test('an order on a phone is accessible', async () => {
  const { emulator, pathOf } = await busyClient()
  const page = await visit(emulator, await pathOf('long-*'), { width: 390 })
  expect(await violationsIn(page)).toEqual([])
})

test('nothing is wider than a phone', async () => {
  const { emulator, pathOf } = await busyClient()
  const paths = ['/_emulator/', '/_emulator/ui/users', await pathOf('sub'), await pathOf('long-*')]
  for (const path of paths) {
    const page = await visit(emulator, path, { width: 390 })
    const [wide, room] = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth])
    expect(wide, path).toBe(room)
  }
})

test('the time line draws every attempt within the picture, and its words stand in for it on a phone', async () => {
  const { emulator, pathOf } = await busyClient()
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
  const { emulator, c1 } = await busyClient()
  const page = await visit(emulator, '/_emulator/?clientId=C1', { javaScript: false })
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
  const [order] = (await emulator.control(`/orders?clientId=${c1.clientId}&email=found@example.com`)).items
  expect(order?.orderStatus).toBe('FAILED')
})
