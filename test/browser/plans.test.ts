import { expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { violationsIn } from './support/accessible.ts'
import { visit } from './support/visit.ts'

/** An emulator with something on every page. */
async function startBusy(): Promise<TestEmulator> {
  const emulator = await startTestEmulator()
  const { clientId } = await emulator.addClient({ clientId: 'shop' })
  await emulator.control('/scenarios/next', 'POST', { scenario: 'overpaid', requestId: 'r-17', count: 3 })
  await emulator.control('/faults', 'POST', {
    on: ['orders', 'crypto-orders'],
    effect: { status: 503 },
    times: 2,
  })
  await emulator.control('/faults', 'POST', { clientId, on: 'delivery', effect: { drop: true }, for: '10m' })
  await emulator.control('/settings', 'PATCH', { 'orders.expiry': '30m' })
  await emulator.control(`/settings?clientId=${clientId}`, 'PATCH', { 'webhook.format': 'envelope' })
  return emulator
}

const paths = [
  '/ui/scenarios',
  '/ui/scenarios/webhook-duplicate',
  '/ui/scenarios/sub-month-end?kind=subscription',
  '/ui/new-scenario',
  '/ui/faults?plan=status',
  '/ui/settings?clientId=shop',
]

test.each(paths)('%s is accessible, and as wide as a phone', async (path) => {
  const page = await visit(await startBusy(), `/_emulator${path}`)
  for (const details of await page.locator('main details:not([open]) > summary').all())
    if (await details.isVisible()) await details.click({ noWaitAfter: true })
  expect(await violationsIn(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390)
})

test('without JavaScript a refused setting is seen where it was typed', async () => {
  const page = await visit(await startBusy(), '/_emulator/ui/settings', { javaScript: false })
  await page.locator('#set-orders-expiry-N11-change > summary').click()
  await page.getByLabel('orders.expiry').fill('soon')
  await page.locator('#set-orders-expiry-N11').getByRole('button', { name: 'Set' }).click()
  expect(new URL(page.url()).hash).toBe('#N11')
  expect(await page.getByLabel('orders.expiry').inputValue()).toBe('soon')
  expect(await page.locator('#set-orders-expiry-N11-refusal').isVisible()).toBe(true)
})

test('a fault is planned with the keyboard alone, and its form keeps what is typed while webhooks come in', async () => {
  const emulator = await startBusy()
  const page = await visit(emulator, '/_emulator/ui/faults?plan=late')
  const late = page.getByLabel('Late by')
  await late.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('7s')
  const client = await emulator.addClient()
  await client.createCheckout('r1')
  expect(await late.inputValue()).toBe('7s')
  await page.keyboard.press('Enter')
  await page.getByText('delay 7s', { exact: true }).waitFor()
})
