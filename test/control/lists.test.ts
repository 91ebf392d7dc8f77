import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../support/emulator.ts'

/** Two orders of C1, one of C2, and a refused create. */
async function someThings() {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('a-1')
  await c1.createCheckout(c1.checkout('b-1', { email: 'buyer+fail-9004@example.com' }))
  await c2.createSubscription('a-2')
  await c1.createCheckout('a-3', { signed: 'nonsense' })
  await c1.advance('5s')
  return emulator
}

test.each([
  ['requestId=a-*', ['a-1', 'a-2']],
  ['requestId=a-*&clientId=C1', ['a-1']],
  ['orderStatus=COMPLETED', ['a-1']],
  ['status=COMPLETED', ['a-1']],
  ['orderStatus=C*', ['a-1', 'a-2']],
  ['kind=subscription', ['a-2']],
  ['scenario.id=fail-*', ['b-1']],
  ['errorReason.errorCode=9004', ['b-1']],
  ['charge=1&order=newest', ['a-2', 'b-1', 'a-1']],
  ['email=buyer%2B*', ['b-1']],
  ['requestId=a', []],
])('GET /orders?%s', async (query, found) => {
  const { items } = await (await someThings()).control(`/orders?${query}`)
  expect(items.map(({ requestId }) => requestId)).toEqual(found)
})

test.each([
  ['requestId=a-1', ['a-1 CREATED', 'a-1 COMPLETED']],
  ['requestId=a-*&orderStatus=CREATED', ['a-1 CREATED', 'a-2 CREATED']],
  ['status=sk*&clientId=C2', ['a-2 CREATED']],
  ['outcome=*', []],
])('GET /deliveries?%s', async (query, found) => {
  const { items } = await (await someThings()).control(`/deliveries?${query}`)
  expect(items.map(({ requestId, orderStatus }) => `${requestId} ${orderStatus}`)).toEqual(found)
})

test.each([
  ['operation=create-order', ['a-1', 'b-1', 'a-2', 'a-3']],
  ['operation=create-sub*', ['a-2']],
  ['status=4*', ['a-3']],
  ['status=401&requestId=a-*', ['a-3']],
  ['diagnosis.cause=signature.*', ['a-3']],
  ['method=GET', []],
  ['path=/v1/client/checkout*&limit=2', ['a-1', 'b-1']],
])('GET /requests?%s', async (query, found) => {
  const { items } = await (await someThings()).control(`/requests?${query}`)
  expect(items.map(({ requestId }) => requestId)).toEqual(found)
})

test.each([
  ['/orders?search=FAIL-9004', ['b-1']],
  ['/orders?search=a-&clientId=C1&order=newest', ['a-1']],
  ['/orders?search=a-&limit=1', ['a-1']],
  ['/orders?search=%25', []],
  ['/deliveries?search=A-2', ['a-2']],
  ['/requests?search=CHECKOUT&status=401', ['a-3']],
])('GET %s finds what has the text in it', async (query, found) => {
  const { items } = await (await someThings()).control(query)
  expect(items.map(({ requestId }) => requestId)).toEqual(found)
})

test.each([
  ['/orders?request_id=a', 'request_id'],
  ['/orders?outcome=accepted', 'outcome'],
  ['/deliveries?kind=checkout', 'kind'],
  ['/requests?orderStatus=COMPLETED', 'orderStatus'],
  ['/clients?status=x', 'status'],
  ['/users?search=x', 'search'],
])('%s is refused: the things of that list have no such member', async (path, name) => {
  const emulator = await startTestEmulator()
  const answer = await emulator.send(`/_emulator${path}`, { method: 'GET' })
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(name)])
})

test.each([
  ['/deliveries?outcome=ok', 'outcome: is never "ok"; use accepted, refused, timeout, connection or unknown'],
  ['/deliveries?status=deliverd', 'status: is never "deliverd"; did you mean `delivered`?'],
  ['/orders?kind=payment', 'kind: is never "payment"'],
  ['/orders?charge=first', 'charge: is a number'],
  ['/requests?operation=create_order', 'did you mean `create-order`?'],
  ['/requests?status=2xx', 'status: is a number'],
])('%s is refused: no thing of that list can be so', async (path, words) => {
  const emulator = await startTestEmulator()
  const { status, json } = await emulator.send(`/_emulator${path}`, { method: 'GET' })
  expect([status, json]).toMatchObject([400, { error: { message: expect.stringContaining(words) } }])
})

test.each([
  ['/clients', 'clientId'],
  ['/scenarios', 'id'],
  ['/choices', 'n'],
])('%s comes in pages too', async (path, name) => {
  const { emulator } = await startFixture()
  const whole = (await emulator.control(path)).items.map((item) => item[name])
  const seen: unknown[] = []
  let next: unknown = ''
  for (let cursor = ''; next !== null; cursor = `&cursor=${next}`) {
    const page = await emulator.control(`${path}?limit=2${cursor}`)
    seen.push(...page.items.map((item) => item[name]))
    expect(page.items.length).toBeLessThanOrEqual(2)
    ;({ next } = page.json)
  }
  expect(seen).toEqual(whole)
  expect(whole.length).toBeGreaterThan(2)
  const wrong = await emulator.send(`/_emulator${path}?cursor=nonsense`, { method: 'GET' })
  expect([wrong.status, wrong.json]).toMatchObject([400, { error: { code: 'bad_cursor' } }])
})

test.each(['/clients', '/scenarios', '/choices', '/users', '/orders', '/deliveries', '/requests', '/faults'])(
  '%s starts at the other end with order=newest',
  async (path) => {
    const emulator = await someThings()
    const items = async (query: string) => (await emulator.control(`${path}?limit=1000${query}`)).items
    const newest = await items('&order=newest')
    expect(newest.toReversed()).toEqual(await items('&order=oldest'))
    const { json } = await emulator.control(`${path}?order=newest&limit=1`)
    const rest = json.next === null ? [] : await items(`&order=newest&cursor=${json.next}`)
    expect(rest).toEqual(newest.slice(1))
  },
)

test('a cursor whose thing is gone says so', async () => {
  const { emulator } = await startFixture()
  const { next } = (await emulator.control('/clients?limit=1')).json
  await emulator.control(`/clients/${next}`, 'DELETE')
  const { json } = await emulator.send(`/_emulator/clients?cursor=${next}`, { method: 'GET' })
  expect(json).toMatchObject({ error: { message: expect.stringContaining('its item is gone') } })
})
