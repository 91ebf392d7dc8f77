import { expect } from 'vitest'
import { test } from './fixtures.ts'

test('ships once when it is told three times, twice at once', async ({ client, shop }) => {
  await client.scenarios.next('webhook-duplicate')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})

test('does not go back when the news of the creation comes last', async ({ client, shop }) => {
  await client.scenarios.next('webhook-out-of-order')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})

test('ships by itself when no webhook ever comes', async ({ client, shop }) => {
  await client.scenarios.next('webhook-never')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  await shop.reconcile()
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})

test('ships when the webhook is faster than the answer', async ({ client, shop }) => {
  await client.scenarios.next('webhook-before-response')
  const buying = shop.buy('order-1')
  await client.waitFor('order', { requestId: 'order-1' })
  await client.clock.advance('1s')
  await client.waitFor('delivery', { requestId: 'order-1', orderStatus: 'COMPLETED', status: 'delivered' })
  expect(await shop.purchase('order-1')).toMatchObject({ state: 'shipped', parcels: 1 })
  await client.clock.advance('10m')
  await buying
})

test('refuses forged webhooks', async ({ client, shop }) => {
  await client.scenarios.next('webhook-forged')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  const forged = await client.deliveries.list({ requestId: id, orderStatus: 'COMPLETED' })
  expect(forged.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([[401], [401]])
})

test('verifies a webhook over its very bytes', async ({ client, shop }) => {
  const { id } = await shop.buy()
  const { attempts } = await client.deliveries.send({ body: `{ "requestId": "${id}", "more": 1.0 }` })
  expect(attempts).toMatchObject([{ outcome: 'accepted' }])
})

test('ships nothing for a genuine webhook that the order does not bear out', async ({ client, shop }) => {
  const { id } = await shop.buy()
  await client.deliveries.send({ event: { requestId: id, orderStatus: 'COMPLETED' } })
  expect(await shop.purchase(id)).toMatchObject({ state: 'waiting', parcels: 0 })
})

test('lets a webhook come again when it could not look the order up', async ({ client, shop }) => {
  await client.scenarios.next('lookup-flaky')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})
