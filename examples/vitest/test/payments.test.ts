import { describe, expect } from 'vitest'
import { test } from './fixtures.ts'

test('has a token for the payment page', async ({ shop }) => {
  expect(await shop.buy()).toMatchObject({ paymentToken: expect.any(String) })
})

test('takes two clicks for one purchase', async ({ client, shop }) => {
  await Promise.all([shop.buy('order-1'), shop.buy('order-1')])
  await client.requests.verify({ operation: 'create-order', status: 401 }, { count: 1 })
  expect(await client.orders.list()).toHaveLength(1)
})

test('makes no second order when the first create call answers 500', async ({ client, shop }) => {
  await client.scenarios.next('create-500-order-exists')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  expect(await client.orders.list()).toHaveLength(1)
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})

test('creates an order again that was not made', async ({ client, shop }) => {
  await client.scenarios.next('create-500-no-order')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})

test('gets a new token when all have expired', async ({ client, shop }) => {
  await client.scenarios.next('token-expires-midflow')
  const { id } = await shop.buy()
  await client.clock.advance('10m')
  expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
})

describe('a shop that waits for an answer no longer than a second', () => {
  test.override({ timeLimitMs: 1_000 })

  test('makes no second order when the first create call is never answered', async ({ client, shop }) => {
    await client.scenarios.next('create-timeout-then-7001')
    const { id } = await shop.buy()
    await client.clock.advance('10m')
    expect(await client.orders.list()).toHaveLength(1)
    expect(await shop.purchase(id)).toMatchObject({ state: 'shipped', parcels: 1 })
  })
})
