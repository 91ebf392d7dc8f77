import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { violationsIn } from './support/accessible.ts'
import { newVisitor, visit } from './support/visit.ts'

/** An emulator with something on every page; no test changes what another looks at. */
const emulator = await startTestEmulator({}, afterAll)

beforeAll(async () => {
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
})

const paths = [
  'scenarios',
  'scenarios/webhook-duplicate',
  'scenarios/sub-month-end?kind=subscription',
  'new-scenario',
  'faults?plan=status',
  'settings?clientId=shop',
]

test('what a test may plan is accessible with everything unfolded, and as wide as a phone', async () => {
  const page = await newVisitor(emulator)
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.goto(`${emulator.url}/_emulator/ui/${path}`)
    await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    expect(await violationsIn(page), path).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390)
  }
})

test('without JavaScript a refused setting is seen where it was typed', async () => {
  const page = await visit(emulator, '/_emulator/ui/settings', { javaScript: false })
  await page.locator('#set-orders-expiry-N11-change > summary').click()
  await page.getByLabel('orders.expiry').fill('soon')
  await page.locator('#set-orders-expiry-N11').getByRole('button', { name: 'Set' }).click()
  expect(new URL(page.url()).hash).toBe('#N11')
  expect(await page.getByLabel('orders.expiry').inputValue()).toBe('soon')
  expect(await page.locator('#set-orders-expiry-N11-refusal').isVisible()).toBe(true)
})

test('a fault is planned with the keyboard alone, and its form keeps what is typed while webhooks come in', async () => {
  const page = await visit(emulator, '/_emulator/ui/faults?plan=late')
  const late = page.getByLabel('Delay')
  await late.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('7s')
  const client = await emulator.addClient()
  await client.createCheckout('r1')
  expect(await late.inputValue()).toBe('7s')
  await page.keyboard.press('Enter')
  await page.getByText('delay 7s', { exact: true }).waitFor()
})
