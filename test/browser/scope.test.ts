import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { visit } from './support/visit.ts'

/** The orders of three clients, each of one name. */
async function threeClients(path = '/_emulator/ui/orders') {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('of-C1')
  await emulator.addClient({ clientId: 'C3' })
  for (const clientId of ['C2', 'C3']) {
    await emulator.control('/orders', 'POST', { clientId, requestId: `of-${clientId}` })
  }
  return { emulator, page: await visit(emulator, path) }
}

const scope = (page: Page) => page.getByLabel('Client', { exact: true }).first()
const query = (page: Page) => new URL(page.url()).search

test('choosing a client narrows the page to it, and back', async () => {
  const { page } = await threeClients()
  await scope(page).selectOption('C2')
  await page.waitForURL('**/ui/orders?clientId=C2')
  expect(await page.locator('#live tbody').textContent()).toContain('of-C2')
  expect(await page.locator('#live tbody').textContent()).not.toContain('of-C1')
  await scope(page).selectOption('')
  await expect.poll(() => query(page)).toBe('')
})

test('a filter that was typed meanwhile stays when a client is chosen', async () => {
  const { page } = await threeClients()
  await page.locator('.tools input[type="search"]').fill('of-')
  await page.waitForURL('**/ui/orders?search=of-')
  await scope(page).selectOption('C3')
  await expect.poll(() => query(page)).toBe('?search=of-&clientId=C3')
})

test('keys come past the clients between, and apply with the button that comes into sight', async () => {
  const { page } = await threeClients()
  const button = page.locator('.scope button')
  const width = async () => (await button.boundingBox())?.width
  expect(await width()).toBeLessThan(4)
  await page.keyboard.press('Tab')
  await scope(page).focus()
  expect(await width()).toBeGreaterThan(40)
  await page.keyboard.type('C2')
  expect(await scope(page).inputValue()).toBe('C2')
  expect(query(page)).toBe('')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/ui/orders?clientId=C2')
})
