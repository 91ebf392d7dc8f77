import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

/** Two clients: C1 with a webhook that is refused, C2 without a URL. */
async function startBusy() {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url })
  const overview = async (query = '') => Object((await emulator.control(`/overview${query}`)).json)
  const failures = async (query = '') => (await emulator.control(`/failures${query}`)).json
  return { receiver, emulator, c1, c2, overview, failures }
}

test('counts orders and webhooks by status, of all clients or of one', async () => {
  const { c1, c2, overview } = await startBusy()
  await c1.createCheckout('r1')
  await c2.createCheckout('r2')
  await c2.advance('10s')
  expect((await overview()).orders).toEqual({ CREATED: 1, COMPLETED: 1 })
  expect((await overview('?clientId=C2')).orders).toEqual({ COMPLETED: 1 })
  expect((await overview('?clientId=C2')).deliveries).toEqual({ skipped: 2 })
})

test('shows the latest attempts, oldest first, and never more than 60', async () => {
  const { c1, overview } = await startBusy()
  await c1.createCheckout('r1')
  await c1.advance('30d')
  const { attempts } = await overview()
  expect(attempts[0]).toMatchObject({
    clientId: 'C1',
    requestId: 'r1',
    n: 1,
    outcome: 'refused',
    status: 500,
  })
  const times = attempts.map(({ at }: { at: number }) => at)
  expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
  for (let n = 2; n < 12; n += 1) await c1.createCheckout(`r${n}`)
  await c1.advance('30d')
  expect((await overview()).attempts).toHaveLength(60)
})

test('counts rejected calls by cause, most frequent first, those of unknown clients too', async () => {
  const { c1, overview } = await startBusy()
  for (const id of ['a', 'b']) await c1.createCheckout(id, { signed: 'something else' })
  await c1.createCheckout('c', { headers: { 'access-token': 'nobody' } })
  expect((await overview()).refusals).toEqual([
    { cause: 'signature.wrong', count: 2 },
    { cause: 'token.unknown', count: 1 },
  ])
  expect((await overview('?clientId=C1')).refusals).toEqual([{ cause: 'signature.wrong', count: 2 }])
})

test('failures are counted since a time', async () => {
  const { c1, failures } = await startBusy()
  await c1.createCheckout('r1')
  await c1.settle()
  await c1.createCheckout('r2', { signed: 'something else' })
  expect(await failures()).toEqual({ attempts: 1, requests: 1 })
  expect(await failures('?clientId=C2')).toEqual({ attempts: 0, requests: 0 })
  const later = Date.now() + 60_000
  expect(await failures(`?attemptsAfter=${later}&requestsAfter=0`)).toEqual({ attempts: 0, requests: 1 })
})

test('a reset or removed client leaves what happened to others', async () => {
  const { emulator, c1, c2, overview, failures } = await startBusy()
  await c1.createCheckout('r1')
  await c1.settle()
  for (const client of [c1, c2]) await client.createCheckout('x', { signed: 'something else' })
  await emulator.control('/reset?clientId=C1', 'POST', {})
  expect(await overview()).toMatchObject({
    attempts: [],
    refusals: [{ cause: 'signature.wrong', count: 1 }],
  })
  expect(await failures()).toEqual({ attempts: 0, requests: 1 })
  await emulator.control('/clients/C2', 'DELETE')
  expect(await overview()).toEqual({ orders: {}, deliveries: {}, attempts: [], refusals: [] })
})

test.each([
  ['/overview?clientId=nobody', 404, 'client_unknown'],
  ['/failures?clientId=nobody', 404, 'client_unknown'],
  ['/failures?attemptsAfter=yesterday', 400, 'invalid_input'],
  ['/failures?requestsAfter=-1', 400, 'invalid_input'],
  ['/overview?status=CREATED', 400, 'invalid_input'],
])('%s is refused with %d', async (path, status, code) => {
  const { emulator } = await startBusy()
  const answer = await emulator.send(`/_emulator${path}`, { method: 'GET' })
  expect([answer.status, Object(answer.json.error).code]).toEqual([status, code])
})
