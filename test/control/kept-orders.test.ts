import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'

/** An order that has run to its end. */
async function anOrder() {
  const fixture = await startFixture()
  await fixture.c1.createCheckout('r1')
  await fixture.c1.advance('1m')
  const { items } = await fixture.emulator.control('/orders?clientId=C1')
  return { ...fixture, path: `/_emulator/orders/${items[0]?.orderId}/scenario` }
}

test('an order is answered as a YAML file, and with `test` as JSON with a test', async () => {
  const { emulator, path } = await anOrder()
  const file = await emulator.send(path, { method: 'GET' })
  expect([file.status, file.headers['content-type']]).toEqual([200, 'application/yaml'])
  expect(file.text).toContain('- { at: 5s, order: COMPLETED }')
  const { json } = await emulator.send(`${path}?test=go`, { method: 'GET' })
  expect(json).toMatchObject({
    yaml: file.text,
    test: expect.stringContaining('package kept_test'),
    notes: expect.any(Array),
  })
})

test('an order without a webhook URL is kept with its webhooks, and the file says so', async () => {
  const { emulator, path } = await anOrder()
  const { text } = await emulator.send(path, { method: 'GET' })
  expect(text).toMatch(/^# No webhook URL was registered/m)
  expect(text).not.toContain('drop')
})

test.each([
  ['?test=mocha', 400, 'expected `vitest`, `jest`, `pytest` or `go`, not "mocha"'],
  ['?test=', 400, 'test'],
  ['?test=go&test=jest', 400, 'test: is given more than once'],
  ['?tests=go', 400, 'tests'],
  ['?clientId=C9', 404, 'C9'],
  ['?clientId=C2', 404, 'No order has the orderId'],
])('%s is refused', async (query, status, words) => {
  const { emulator, path } = await anOrder()
  const refused = await emulator.send(`${path}${query}`, { method: 'GET' })
  expect(refused.status).toBe(status)
  expect(Object(refused.json.error).message).toContain(words)
})

test('an unknown order is 404, and another method 405', async () => {
  const { emulator, path } = await anOrder()
  const unknown = await emulator.send('/_emulator/orders/nope/scenario', { method: 'GET' })
  expect([unknown.status, unknown.json.error]).toMatchObject([404, { code: 'order_unknown' }])
  expect(await emulator.send(path, { method: 'POST' })).toMatchObject({ status: 405 })
})
