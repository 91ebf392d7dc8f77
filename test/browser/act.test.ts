import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { visit } from './support/visit.ts'

const note = (page: Page) => page.locator('#note .note')
const focused = (page: Page) => page.evaluate('document.activeElement.textContent')

/** An order that waits for its payer, and its page. */
async function aWaitingOrder(javaScript = true) {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const { orderId } = Object(await c1.order('r1'))
  const path = `/_emulator/ui/orders/${orderId}`
  const page = await visit(emulator, path, { javaScript, height: 400 })
  if (javaScript) await page.locator('#pulse[data-state="live"]').waitFor()
  return { emulator, c1, page, path }
}

test('a button works in place: no new page, the note appears, the focus stays', async () => {
  const { c1, page, path } = await aWaitingOrder()
  await page.evaluate('window.same = true')
  const button = page
    .getByRole('button', { name: 'Cancel' })
    .or(page.locator('form.act button[type="submit"]'))
  await button.first().focus()
  const words = await focused(page)
  await page.keyboard.press('Enter')
  await note(page).waitFor()
  expect(await page.evaluate('window.same')).toBe(true)
  expect(await focused(page)).toBe(words)
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
  expect(Object(await c1.order('r1')).orderId).toBe(path.split('/').at(-1))
})

test('without JavaScript a button works as a form does, and its note is shown once', async () => {
  const { page, path } = await aWaitingOrder(false)
  await page.locator('form.act button[type="submit"]').first().click()
  await note(page).waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  await page.reload()
  expect(await note(page).count()).toBe(0)
})

test('a note that came with a page is gone from its address, and Escape takes it away', async () => {
  const { emulator, page } = await aWaitingOrder(false)
  await page.locator('form.act button[type="submit"]').first().click()
  const to = page.url()
  await emulator.control('/clients', 'POST', {})
  const scripted = await visit(emulator, new URL(to).pathname)
  expect(scripted.url()).not.toContain('note=')
  await scripted.locator('form.act button[type="submit"]').first().click()
  await note(scripted).waitFor()
  await scripted.keyboard.press('Escape')
  expect(await note(scripted).count()).toBe(0)
})

test('what is typed into a form on a live part stays while the page changes', async () => {
  const { c1, page } = await aWaitingOrder()
  await c1.advance('1h')
  const field = page.getByLabel('Amount, up to 10.00 usd_us')
  await field.fill('7.77')
  await field.blur()
  await page.evaluate("document.querySelector('#live h2').mine = 'kept'")
  await c1.fiatOrders('r1')
  await page.locator('#live', { hasText: 'Lookup orders' }).waitFor()
  expect(await field.inputValue()).toBe('7.77')
})

test('the command follows what is typed, and can be copied', async () => {
  const { page } = await aWaitingOrder()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const form = page.locator('#decline')
  await form.locator('.curl summary').click()
  await form.getByLabel('Error code').fill('9005')
  await expect.poll(() => form.locator('.curl code').textContent()).toContain('9005')
  await form.getByRole('button', { name: 'Copy' }).click()
  await form.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await form.locator('.curl code').textContent(),
  )
})
