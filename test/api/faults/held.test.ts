import { expect, test } from 'vitest'
import { expectStatus } from '../../support/expect.ts'
import { rawCreate, rawLookup } from '../../support/raw-call.ts'
import { faultNotes, given, untilHeld, untilStored } from './given.ts'

test('a held answer leaves when an advance reaches its time, and its webhook with it', async () => {
  const context = await given('[{ on: create-order, when: stored, effect: { delay: 3s } }]')
  const { client, receiver } = context
  const created = client.createCheckout('r1')
  await untilStored(context, 'r1')
  await client.advance('2s')
  expect(receiver.requests).toEqual([])
  const ledger = await client.advance('10m')
  expect(ledger.deliveries.map(({ at, orderStatus }) => [at - ledger.from, orderStatus])).toEqual([
    [1_000, 'CREATED'],
  ])
  expectStatus(await created, 200)
  expect(await faultNotes(context)).toEqual([
    'fault: create-order stored, held for 3s (scenario faulty, call 1)',
  ])
})

test('an advance right after the release sees the webhook that waited for the answer', async () => {
  const context = await given('[{ on: create-order, when: stored, effect: { delay: 3s } }]')
  const { client } = context
  const created = client.createCheckout('r1')
  await untilHeld(context)
  const released = client.advance('3s')
  const { deliveries } = await client.advance('10m')
  expect([...(await released).deliveries, ...deliveries]).toHaveLength(1)
  expectStatus(await created, 200)
})

test('on a running clock a held answer leaves by itself', async () => {
  const { client } = await given('[{ on: orders, when: stored, effect: { status: 503, delay: 1h } }]', {
    config: { clock: '36000x' },
  })
  await client.createCheckout('r1')
  const begun = performance.now()
  expectStatus(await client.fiatOrders('r1'), 503)
  expect(performance.now() - begun).toBeGreaterThan(90)
})

test.each(['waits', 'leaves'])(
  'a call held before storing makes its order in the end, if its caller %s',
  async (caller) => {
    const context = await given('[{ on: create-order, when: before, effect: { delay: 30s }, times: 1 }]')
    const { emulator, client, receiver } = context
    const call = rawCreate(emulator, client, 'r1')
    await untilHeld(context)
    if (caller === 'leaves') call.leave()
    expect((await client.fiatOrders('r1')).data).toEqual([])
    await client.advance('30s')
    if (caller === 'waits') await call.answered
    await untilStored(context, 'r1')
    await receiver.received(1)
  },
)

test('a create call that is held before and after storing is stored in between', async () => {
  const context = await given(
    '[{ on: create-order, effect: { delay: 10s } }, { on: create-order, when: stored, effect: { delay: 10s } }]',
  )
  const { client } = context
  const created = client.createCheckout('r1')
  await untilHeld(context)
  await client.advance('10s')
  expect((await client.fiatOrders('r1')).data).toHaveLength(1)
  const { deliveries, from } = await client.advance('1h')
  expectStatus(await created, 200)
  expect(deliveries.map(({ at }) => at - from)).toEqual([10_000])
})

test('the webhook of a held create call goes when its caller goes', async () => {
  const context = await given('[{ on: create-order, when: stored, effect: { delay: 1h } }]')
  const { emulator, client, receiver } = context
  const call = rawCreate(emulator, client, 'r1')
  await untilHeld(context)
  await untilStored(context, 'r1')
  call.leave()
  await receiver.received(1)
  expect((await client.advance('0s')).nextDueAt).toBeNull()
})

/** An order that completes after a minute, and a receiver that first looks it up when it hears of that. The lookup
 *  is held for 20 seconds. */
async function receiverThatLooksUp() {
  const context = await given('[{ on: orders, effect: { delay: 20s }, times: 1 }]', {
    timeline: '[{ at: 60s, order: COMPLETED }]',
  })
  const { client, receiver } = context
  await client.createCheckout('r1')
  await client.settle()
  const lookup = Promise.withResolvers<unknown>()
  receiver.answerWith({
    get after() {
      client.fiatOrders('r1').then(lookup.resolve, lookup.reject)
      return lookup.promise
    },
  })
  return { client, lookup: lookup.promise }
}

test('a receiver that waits for a held answer does not stop the advance', async () => {
  const { client, lookup } = await receiverThatLooksUp()
  const { deliveries, from, now } = await client.advance('10m')
  expect(await lookup).toMatchObject({ status: 200 })
  expect(now - from).toBe(600_000)
  expect(deliveries.map(({ at, outcome }) => [at - from, outcome])).toEqual([[60_000, 'accepted']])
})

test('an advance ends at its target though a receiver waits for what is held beyond it', async () => {
  const { client, lookup } = await receiverThatLooksUp()
  const { from, now } = await client.advance('70s')
  expect(now - from).toBe(70_000)
  await client.advance('10s')
  expect(await lookup).toMatchObject({ status: 200 })
  await client.settle()
  expect((await client.deliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
})

test('a receiver that waits since before an advance for a held answer does not stop it', async () => {
  const context = await given('[{ on: orders, effect: { delay: 20s } }]')
  const { client, receiver } = context
  await client.createCheckout('r1')
  await client.settle()
  const lookup = Promise.withResolvers<unknown>()
  receiver.answerWith({ after: lookup.promise })
  await client.simulate(client.simulation('r1'))
  await receiver.received(2)
  client.fiatOrders('r1').then(lookup.resolve, lookup.reject)
  await untilHeld(context)
  await client.advance('20s')
  expect(await lookup.promise).toMatchObject({ status: 200 })
})

test('an advance waits for a slow receiver though a call is held since before it', async () => {
  const context = await given('[{ on: orders, effect: { delay: 20s } }]')
  const { emulator, client, receiver } = context
  const slow = Promise.withResolvers<void>()
  await client.createCheckout('r1')
  await client.settle()
  rawLookup(emulator, client, 'r1')
  await untilHeld(context)
  receiver.answerWith({ after: slow.promise })
  const begin = await client.now()
  await client.simulate(client.simulation('r2'))
  const advanced = client.advance('1m')
  await receiver.received(2)
  expect(await client.now()).toBe(begin)
  slow.resolve()
  expect((await advanced).now - begin).toBe(60_000)
})

test('under webhook-before-response both webhooks come before the answer', async () => {
  const context = await given('[]', { client: { defaultScenario: 'webhook-before-response' } })
  const { emulator, client, receiver } = context
  const call = rawCreate(emulator, client, 'r1')
  await untilStored(context, 'r1')
  await client.advance('2s')
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
  expect(call.text).toBe('')
  await client.advance('1s')
  await call.answered
  expect(call.text).toMatch(/^HTTP\/1\.1 200 /)
})
