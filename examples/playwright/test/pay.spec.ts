import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name })

test('thanks a customer who has paid', async ({ page, client }) => {
  await page.goto('/')
  await press(page, 'Pay')
  await press(page, 'Pay $12.50')
  await expect(heading(page, 'Waiting for your payment')).toBeVisible()
  await client.clock.advance('3s')
  await expect(heading(page, 'Thank you')).toBeVisible()
})

test('lets a customer whose payment was declined try again', async ({ page, client }) => {
  await page.goto('/')
  await press(page, 'Pay')
  await press(page, 'Decline')
  await expect(heading(page, 'The payment did not work')).toBeVisible()
  await press(page, 'Try again')
  await press(page, 'Pay $12.50')
  await expect(heading(page, 'Waiting for your payment')).toBeVisible()
  await client.clock.advance('3s')
  await expect(heading(page, 'Thank you')).toBeVisible()
})

test('thanks nobody who comes back without having paid', async ({ page, client }) => {
  await page.goto('/')
  await press(page, 'Pay')
  await press(page, 'Leave without paying')
  await expect(heading(page, 'Left without paying')).toBeVisible()
  const [order] = await client.orders.list()
  const data = Buffer.from(JSON.stringify({ orderStatus: 'COMPLETED' })).toString('base64url')
  await page.goto(`/orders/${order?.requestId}?data=${data}`)
  await expect(heading(page, 'Waiting for your payment')).toBeVisible()
})
