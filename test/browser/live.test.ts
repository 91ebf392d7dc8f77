import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { visit } from './support/visit.ts'

const rows = (page: Page) => page.locator('#live tbody tr')
const isLive = (page: Page) => page.locator('#pulse[data-state="live"]').waitFor()

test('a new order appears by itself, at the top', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('first')
  const page = await visit(emulator, '/_emulator/')
  await isLive(page)
  await c1.createCheckout('second')
  await page.getByRole('link', { name: 'second' }).waitFor()
  expect(await rows(page).count()).toBe(2)
  expect(await rows(page).first().textContent()).toContain('second')
})

test('what happened before the stream was open is not missed', async () => {
  const { emulator, c1 } = await startFixture()
  const page = await visit(emulator, '/_emulator/')
  await c1.createCheckout('early')
  await page.getByRole('link', { name: 'early' }).waitFor()
})
