import { expect, test } from 'vitest'
import { startFixture, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

/** Two clients with URLs at one receiver. */
async function given() {
  const receiver = await startReceiver()
  const fixture = await startFixture({ webhookUrl: receiver.url })
  const act = async (path: string, body: object = {}, clientId = 'C1') =>
    fixture.emulator.control(
      `/deliveries${path}${path.endsWith('resend') ? '' : `?clientId=${clientId}`}`,
      'POST',
      body,
    )
  const statuses = async () =>
    (await fixture.c1.deliveries()).map(({ orderStatus, status }) => [orderStatus, status])
  return { ...fixture, receiver, act, statuses }
}

/** A call that is refused. */
async function refusal(emulator: TestEmulator, path: string, body: object = {}) {
  const headers = { 'content-type': 'application/json' }
  const { status, json } = await emulator.send(`/_emulator/deliveries${path}`, {
    method: 'POST',
    headers,
    body,
  })
  return { status, error: JSON.stringify(json.error) }
}

test('a hold keeps webhooks back while orders and time go on, and a release lets them go in order', async () => {
  const { c1, receiver, act, statuses } = await given()
  expect((await act('/hold')).json).toEqual({ clientIds: ['C1'], where: {}, held: 0 })
  await c1.createCheckout('r1')
  const ledger = await c1.advance('10s')
  expect(ledger.deliveries).toEqual([])
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'COMPLETED' })
  expect(await statuses()).toEqual([
    ['CREATED', 'held'],
    ['COMPLETED', 'held'],
  ])
  expect((await act('/release')).json).toEqual({ clientIds: ['C1'], where: {}, released: 2 })
  await receiver.received(2)
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
})

test('a hold of one event lets the later ones overtake it', async () => {
  const { c1, receiver, act } = await given()
  await act('/hold', { where: { requestId: 'r1', orderStatus: 'CREATED' } })
  await c1.createCheckout('r1')
  await c1.createCheckout('r2')
  await c1.advance('10s')
  const arrived = receiver.requests.map(({ json }) => `${json.requestId} ${json.orderStatus}`)
  expect(arrived.toSorted()).toEqual(['r1 COMPLETED', 'r2 COMPLETED', 'r2 CREATED'])
  await act('/release', { where: { requestId: 'r1', orderStatus: 'CREATED' } })
  expect((await receiver.received(4))[3]?.json).toMatchObject({ requestId: 'r1', orderStatus: 'CREATED' })
})

test('a hold keeps nothing back of another client', async () => {
  const { c2, receiver, act } = await given()
  await c2.setWebhookUrl(receiver.url)
  await act('/hold')
  await c2.createCheckout('r1')
  await receiver.received(1)
})

test('without clientId all clients are held, and the client shows it', async () => {
  const { emulator, c1 } = await given()
  const { json } = await emulator.control('/deliveries/hold', 'POST', { where: { orderStatus: 'FAILED' } })
  expect(json.clientIds).toEqual(expect.arrayContaining(['C1', 'C2']))
  expect((await emulator.control('/clients/C2')).json.holds).toEqual([{ orderStatus: 'FAILED' }])
  await emulator.control('/deliveries/release', 'POST')
  expect((await emulator.control(`/clients/${c1.clientId}`)).json).not.toHaveProperty('holds')
})

test('a reset that keeps the clients ends their holds', async () => {
  const { emulator, act } = await given()
  await act('/hold')
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  expect((await emulator.control('/clients/C1')).json).not.toHaveProperty('holds')
})

test('a member that deliveries do not have is refused by name', async () => {
  const { emulator } = await given()
  expect(await refusal(emulator, '/hold', { where: { requestID: 'r1' } })).toEqual({
    status: 400,
    error: expect.stringMatching(/invalid_input.*requestID/),
  })
})

test('a dead letter can be sent again, with the same id and bytes', async () => {
  const { c1, receiver, act } = await given()
  receiver.answerWith({ status: 500 }, {})
  await c1.change({ settings: { 'webhook.retry.max': 0 } })
  await c1.createCheckout('r1')
  await c1.settle()
  const [dead] = await c1.deliveries()
  expect(dead).toMatchObject({ status: 'dead' })
  expect((await act(`/${dead?.id}/resend`)).json).toMatchObject({ id: dead?.id, status: 'pending' })
  const [first, second] = await receiver.received(2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.text).toBe(first?.text)
  await c1.settle()
  expect((await c1.deliveries())[0]).toMatchObject({ status: 'delivered', attempts: [{ n: 1 }, { n: 2 }] })
})

test('what is held can be sent alone, though the hold stays', async () => {
  const { c1, receiver, act, statuses } = await given()
  await act('/hold')
  await c1.createCheckout('r1')
  await c1.advance('10s')
  const [, completed] = await c1.deliveries()
  await act(`/${completed?.id}/resend`)
  expect((await receiver.received(1))[0]?.json).toMatchObject({ orderStatus: 'COMPLETED' })
  await c1.settle()
  expect(await statuses()).toEqual([
    ['CREATED', 'held'],
    ['COMPLETED', 'delivered'],
  ])
})

test.each([
  ['no URL is registered', null, 'no_webhook_url'],
  ['the URL answered 410', 'gone', 'webhook_paused'],
])('nothing can be sent again while %s', async (_, url, code) => {
  const { c1, receiver, emulator } = await given()
  if (url === 'gone') receiver.answerWith({ status: 410 })
  await c1.createCheckout('r1')
  await c1.settle()
  if (url === null) await c1.change({ webhookUrl: null })
  const [created] = await c1.deliveries()
  expect(await refusal(emulator, `/${created?.id}/resend`)).toEqual({
    status: 409,
    error: expect.stringContaining(code),
  })
})

test('an unknown delivery cannot be sent again', async () => {
  const { emulator } = await given()
  expect((await refusal(emulator, '/del_x/resend')).status).toBe(404)
})
