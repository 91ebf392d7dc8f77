import { expect } from 'vitest'
import { test } from './fixtures.ts'

test('ships what has been paid', async ({ client, shop }) => {
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  // As main.ts does every five minutes.
  await shop.reconcile()
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})

test('ships nothing while nobody has paid', async ({ client, shop }) => {
  await client.scenarios.next('never-pays')
  const { id } = await shop.buy()
  await client.clock.advance('36h')
  await shop.reconcile()
  expect(await shop.purchase(id)).toMatchObject({ state: 'waiting', parcels: 0 })
})

test('ships nothing when the payment fails, and says why', async ({ client, shop }) => {
  await client.scenarios.next('fail-9004')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  await shop.reconcile()
  expect(await shop.purchase(id)).toMatchObject({ state: 'declined', reason: '9004', parcels: 0 })
})
