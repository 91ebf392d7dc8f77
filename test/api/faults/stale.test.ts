import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Answer, JsonObject } from '../../support/answer.ts'
import { TestClient } from '../../support/client.ts'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { expectStatus, expectVerificationFailed } from '../../support/expect.ts'
import { faultNow, planFault } from '../../support/faults.ts'
import { aFolder } from '../../support/folder.ts'
import { scenarioFiles } from '../../support/scenario-files.ts'
import { faultNotes, given, untilHeld } from './given.ts'

const stale = { on: ['orders', 'crypto-orders', 'fiat-refunds'], effect: { stale: true } }

const recordsOf = ({ json }: Answer): JsonObject[] => (Array.isArray(json.data) ? json.data : [])

async function fiat(client: TestClient, requestId = 'r1'): Promise<JsonObject> {
  return recordsOf(await client.fiatOrders(requestId))[0] ?? {}
}

async function crypto(client: TestClient, requestId = 'r1'): Promise<JsonObject> {
  return recordsOf(await client.cryptoOrders(requestId))[0] ?? {}
}

/** A client whose orders follow a timeline, with `r1` created. */
async function following(timeline: string) {
  const context = await given('[]', { timeline })
  const { emulator, client } = context
  await client.createCheckout('r1')
  const orderId = async () => String((await emulator.control('/orders?requestId=r1')).items[0]?.orderId)
  const refund = async (act: object) => emulator.control(`/orders/${await orderId()}/refunds`, 'POST', act)
  const plan = (fault: object = {}) => planFault(emulator, client, { ...stale, ...fault })
  return { ...context, refund, plan, orderId }
}

const happy = '[{ at: 2s, pay: completed }, { at: 5s, order: COMPLETED }]'

describe('a stale lookup', () => {
  test('of a fiat order shows the record before its last change, in every field', async () => {
    const { client, plan } = await following(happy)
    const created = await fiat(client)
    await client.advance('3s')
    const paid = await fiat(client)
    expect(paid.updatedTs).not.toBe(created.updatedTs)
    await client.advance('10s')
    await plan()
    expect(await fiat(client)).toEqual(paid)
    expect(await fiat(client)).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('of a crypto order shows the payment that had come, and neither hash nor status of the end', async () => {
    const { client, plan } = await following(happy)
    const created = await crypto(client)
    await client.advance('2s')
    const paid = await crypto(client)
    await plan({ times: 1 })
    expect(await crypto(client)).toEqual(created)
    await client.advance('3s')
    await plan({ times: 1 })
    expect(paid).toMatchObject({ orderStatus: 'CREATED', paymentStatus: 'COMPLETED' })
    expect(await crypto(client)).toEqual(paid)
    expect(await crypto(client)).toMatchObject({ orderStatus: 'COMPLETED', txnHash: expect.any(String) })
  })

  test('of refunds shows the list, the statuses and the failure before the last refund', async () => {
    const { client, plan, refund } = await following(happy)
    await client.advance('10s')
    const answers: string[] = [(await client.refunds('r1')).text]
    const acts = [
      { fiatAmount: '1.00' },
      { fiatAmount: '2.00' },
      { fiatAmount: '3.00', outcome: 'failed', errorCode: '9006.1' },
    ]
    for (const act of acts) {
      await refund(act)
      await plan()
      expect((await client.refunds('r1')).text).toBe(answers.at(-1))
      answers.push((await client.refunds('r1')).text)
    }
    expect(new Set(answers).size).toBe(4)
    await plan()
    expect(await fiat(client), 'a refund is the last change of the order too').toMatchObject({
      orderStatus: 'COMPLETED',
    })
  })

  test('shows the error of a former failure again, and no error before it', async () => {
    const { client, plan } = await following(
      '[{ at: 1s, order: FAILED, error: "9004" }, { at: 2s, order: COMPLETED, force: true }]',
    )
    await client.advance('1s')
    const failed = await fiat(client)
    expect(failed).toMatchObject({ orderStatus: 'FAILED', errorReason: { errorCode: '9004' } })
    await plan()
    const before = await fiat(client)
    expect(before).toMatchObject({ orderStatus: 'CREATED' })
    expect(before).not.toHaveProperty('errorReason')
    await client.advance('1s')
    await plan()
    expect(await fiat(client)).toEqual(failed)
  })

  test('of a record that has never changed shows it as it is, and an empty list stays empty', async () => {
    const { client, plan } = await following('[]')
    const [order, leg, refunds] = [await fiat(client), await crypto(client), await client.refunds('r1')]
    await plan({ times: 4 })
    expect([await fiat(client), await crypto(client)]).toEqual([order, leg])
    expect((await client.refunds('r1')).text).toBe(refunds.text)
    expect(recordsOf(await client.fiatOrders('nothing'))).toEqual([])
  })

  test('of a record whose status has not changed shows it as it was created', async () => {
    const { client, plan } = await following(
      '[{ at: 1s, received: "50%" }, { at: 2s, metadata: { a: 1 } }, { at: 3s, order: COMPLETED }, { at: 4s, metadata: { a: 2 } }]',
    )
    const created = await crypto(client)
    await client.advance('2s')
    const received = await crypto(client)
    expect(received).toMatchObject({ receivedAmount: expect.any(String), metadata: { a: 1 } })
    await plan()
    expect(await crypto(client)).toEqual(created)
    await client.advance('2s')
    expect(await crypto(client)).toMatchObject({ orderStatus: 'COMPLETED', metadata: { a: 2 } })
    await plan()
    expect(await crypto(client), 'what changed after the status goes back with it').toEqual(received)
  })

  test('has no crypto record where the payment has made it appear', async () => {
    const { client, plan, emulator } = await following(happy)
    await emulator.control(`/settings?clientId=${client.clientId}`, 'PATCH', {
      'orders.cryptoLeg': 'after-payment',
    })
    await client.advance('2s')
    await plan()
    expect(recordsOf(await client.cryptoOrders('r1'))).toEqual([])
    expect(recordsOf(await client.cryptoOrders('r1'))).toHaveLength(1)
  })

  test('shows each charge of a subscription as it was before its own last change', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createSubscription('s1')
    await c1.advance('40d')
    const now = recordsOf(await c1.fiatOrders('s1'))
    expect(now.map(({ orderStatus }) => orderStatus)).toEqual(['COMPLETED', 'COMPLETED'])
    await planFault(emulator, c1, stale)
    const before = recordsOf(await c1.fiatOrders('s1'))
    expect(before.map(({ orderStatus }) => orderStatus)).toEqual(['CREATED', 'CREATED'])
    expect(before.map(({ orderId }) => orderId)).toEqual(now.map(({ orderId }) => orderId))
  })

  test('shows the record before the step that the lookup itself carries out', async () => {
    const { client, plan } = await following('[{ lookup: 1, order: COMPLETED }]')
    await plan()
    expect(await fiat(client)).toMatchObject({ orderStatus: 'CREATED' })
    expect(await fiat(client)).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('changes neither the order nor its webhooks', async () => {
    const { client, plan, emulator, receiver, orderId } = await following(happy)
    await client.advance('10s')
    const path = `/orders/${await orderId()}`
    const order = (await emulator.control(path)).json
    await plan()
    await fiat(client)
    expect((await emulator.control(path)).json).toEqual(order)
    expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
  })
})

describe('a planned stale lookup', () => {
  test.each(['before', 'stored'])('%s: as many lookups as `times` says, by each lookup', async (when) => {
    const context = await following(happy)
    const { client, plan, emulator } = context
    await client.advance('10s')
    const fault = await plan({ when, times: 2, skip: 1 })
    const shown = []
    for (let n = 0; n < 4; n++) shown.push((await fiat(client)).orderStatus)
    expect(shown).toEqual(['COMPLETED', 'CREATED', 'CREATED', 'COMPLETED'])
    expect(await faultNow(emulator, fault)).toMatchObject({ hits: 2, over: true })
    const words = `fault: orders ${when}, shows the records before their last change`
    expect(await faultNotes(context)).toEqual([1, 2].map((n) => `${words} (${fault.id}, ${n} of 2)`))
  })

  test('touches the named operation, requestId and client only', async () => {
    const { emulator, c1, c2 } = await startFixture()
    for (const client of [c1, c2]) for (const id of ['r1', 'r2']) await client.createCheckout(id)
    for (const client of [c1, c2]) await client.advance('10m')
    await planFault(emulator, c1, { on: 'orders', where: { requestId: 'r1' }, effect: { stale: true } })
    const completed = { orderStatus: 'COMPLETED' }
    expect(await fiat(c2)).toMatchObject(completed)
    expect(await fiat(c1, 'r2')).toMatchObject(completed)
    expect(await crypto(c1)).toMatchObject(completed)
    expect(await fiat(c1)).toMatchObject({ orderStatus: 'CREATED' })
  })

  test('does not hide that a call is refused, which uses none up', async () => {
    const { client, plan, emulator } = await following(happy)
    await client.advance('10s')
    const fault = await plan()
    const query = { requestId: 'r1', clientId: client.clientId }
    const wrong = { headers: { 'access-token': 'wrong' } }
    expectVerificationFailed(await client.lookUp('/v1/client/orders', query, wrong))
    expect(await faultNow(emulator, fault)).toMatchObject({ hits: 0 })
    expect(await fiat(client)).toMatchObject({ orderStatus: 'CREATED' })
  })

  test('can be late, and have other headers', async () => {
    const context = await following(happy)
    const { client, plan } = context
    await client.advance('10s')
    await plan({ when: 'stored', effect: { stale: true, delay: '10s', headers: { age: '60' } } })
    const late = client.fiatOrders('r1')
    await untilHeld(context)
    await client.advance('10s')
    const answer = await late
    expectStatus(answer, 200)
    expect(answer.headers.age).toBe('60')
    expect(recordsOf(answer)[0]).toMatchObject({ orderStatus: 'CREATED' })
  })

  test('is known after a restart, and so is what it shows', async () => {
    const database = join(aFolder(), 'emulator.db')
    const first = await startTestEmulator({ database })
    const made = await first.addClient({ clientId: 'C1' })
    await made.createCheckout('r1')
    await made.advance('10m')
    await planFault(first, made, { ...stale, times: 2 })
    expect(await fiat(made)).toMatchObject({ orderStatus: 'CREATED' })
    const { json: snapshot } = await first.control('/snapshot')
    await first.close()
    const second = await startTestEmulator({ database })
    const third = await startTestEmulator()
    await third.control('/snapshot', 'PUT', snapshot)
    for (const emulator of [second, third]) {
      const again = new TestClient(emulator, made)
      expect(await fiat(again)).toMatchObject({ orderStatus: 'CREATED' })
      expect(await fiat(again)).toMatchObject({ orderStatus: 'COMPLETED' })
    }
  })

  test('of an order from a fixture shows the past of the fixture', async () => {
    const emulator = await startTestEmulator()
    const orders = [
      { requestId: 'r1', created: '1d ago', status: 'COMPLETED', refunds: [{ fiatAmount: '1.00' }] },
      { requestId: 'r2', created: '1d ago', status: 'COMPLETED' },
    ]
    await emulator.control('/fixtures', 'POST', { clients: [{ clientId: 'C1', orders }] })
    const c1 = new TestClient(emulator, {
      ...{ clientId: 'C1', apiSecret: '', webhookSecret: '' },
      accessToken: String((await emulator.control('/clients/C1')).json.accessToken),
    })
    await planFault(emulator, c1, { ...stale, times: 2 })
    expect((await c1.refunds('r1')).json.data).toEqual([])
    expect(await fiat(c1, 'r2')).toMatchObject({ orderStatus: 'CREATED' })
    expect((await c1.refunds('r1')).json.data).toHaveLength(1)
  })
})

test('a scenario makes lookups stale with the same words', async () => {
  const answers = '[{ on: [orders, fiat-refunds], effect: { stale: true }, times: 2 }]'
  const context = await given(answers, { timeline: happy })
  const { client } = context
  await client.createCheckout('r1')
  await client.advance('10s')
  const shown = [await fiat(client), await crypto(client), await fiat(client), await fiat(client)]
  expect(shown.map(({ orderStatus }) => orderStatus)).toEqual([
    ...['CREATED', 'COMPLETED', 'CREATED', 'COMPLETED'],
  ])
  expect((await faultNotes(context))[1]).toBe(
    'fault: orders before, shows the records before their last change (scenario faulty, 2 of 2)',
  )
})

test('a scenario of the emulator explains what a stale lookup is', async () => {
  const answers = 'timeline: []\nanswers: [{ on: orders, effect: { stale: true }, times: 1 }]'
  const emulator = await startTestEmulator({ scenarios: [scenarioFiles({ old: answers })] })
  const { text } = await emulator.send('/_emulator/scenarios/old/explain', { method: 'GET', headers: {} })
  expect(text).toContain('records before their last change')
})
