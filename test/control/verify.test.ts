import { expect, test } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'

function verify(emulator: TestEmulator, body: object, query = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return emulator.send(`/_emulator/requests/verify${query}`, { method: 'POST', headers, body })
}

/** An emulator to which C1 has sent two creates, one of them wrongly signed, and C2 a lookup. */
async function afterSomeRequests() {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.createCheckout(c1.checkout('r2', { fiatAmount: '7.50' }), { signed: 'nonsense' })
  await c1.createSubscription('s1')
  await c2.fiatOrders('r1')
  return emulator
}

test.each<[where: object, numbers: object, status: number, count: number]>([
  [{}, {}, 200, 4],
  [{ operation: 'create-order' }, { count: 3 }, 200, 3],
  [{ operation: 'create-checkout-order' }, { count: 3 }, 409, 2],
  [{ requestId: 'r1' }, { atLeast: 2 }, 200, 2],
  [{ requestId: 'r1', method: 'POST' }, { atLeast: 2 }, 409, 1],
  [{ requestId: 'r*' }, { atMost: 2 }, 409, 3],
  [{ requestId: 'r*' }, { atLeast: 1, atMost: 3 }, 200, 3],
  [{ requestId: 'nobody' }, {}, 409, 0],
  [{ requestId: 'nobody' }, { count: 0 }, 200, 0],
  [{ requestId: 'nobody' }, { atMost: 0 }, 200, 0],
  [{ status: 401 }, { count: 1 }, 200, 1],
  [{ status: '401' }, { count: 1 }, 200, 1],
  [{ 'diagnosis.cause': 'signature.*' }, { count: 1 }, 200, 1],
  [{ diagnosis: null }, { count: 3 }, 200, 3],
  [{ 'body.fiatAmount': '7.50' }, { count: 1 }, 200, 1],
  [{ 'body.fiatAmount': '7.5' }, { count: 0 }, 200, 0],
  [{ 'response.status': 'CREATED' }, { count: 2 }, 200, 2],
  [{ path: '/v1/client/orders*' }, { count: 1 }, 200, 1],
  [{ clientId: 'C2' }, { count: 1 }, 200, 1],
  [{ 'headers.content-type': 'application/json' }, { count: 3 }, 200, 3],
])('where %j, %j: %i, with %i', async (where, numbers, status, count) => {
  const answer = await verify(await afterSomeRequests(), { where, ...numbers })
  expect([answer.status, answer.json.count]).toEqual([status, count])
})

test('too few come with the nearest misses: what was sent, and in what it differs', async () => {
  const where = { operation: 'create-order', 'body.fiatAmount': '10.00', status: 401 }
  const answer = await verify(await afterSomeRequests(), { where })
  expect(answer.json).toMatchObject({
    error: {
      code: 'not_verified',
      message: expect.stringMatching(
        /^The request log has 0 requests with operation "create-order", body\.fiatAmount "10\.00", status 401, not at least 1\. The nearest, req_\w+, differs: body\.fiatAmount is "7\.50"\.$/,
      ),
    },
    nearest: [
      {
        requestId: 'r2',
        operation: 'create-checkout-order',
        differs: [{ member: 'body.fiatAmount', wanted: '10.00', found: '7.50' }],
      },
      { requestId: 'r1', differs: [{ member: 'status', wanted: 401, found: 200 }] },
      { requestId: 's1' },
      { requestId: 'r1', operation: 'orders' },
    ],
  })
})

test('too many come with those that fit', async () => {
  const { json } = await verify(await afterSomeRequests(), { where: { requestId: 'r1' }, atMost: 1 })
  expect(json).toMatchObject({
    error: { message: 'The request log has 2 requests with requestId "r1", not at most 1.' },
    count: 2,
    nearest: [
      { requestId: 'r1', differs: [] },
      { requestId: 'r1', differs: [] },
    ],
  })
})

test('an empty journal says that there is none at all', async () => {
  const { emulator } = await startFixture()
  const { json } = await verify(emulator, {})
  expect(json).toMatchObject({
    error: { message: 'The request log has 0 requests, not at least 1. There is none at all.' },
    nearest: [],
  })
})

test.each([
  ['?clientId=C2', {}],
  ['', { clientId: 'C2' }],
])('it can be narrowed to one client: %o %j', async (query, body) => {
  const emulator = await afterSomeRequests()
  expect((await verify(emulator, { ...body, count: 1 }, query)).json).toEqual({ count: 1 })
  const { json } = await verify(emulator, { ...body, where: { requestId: 's1' } }, query)
  expect(json.nearest).toMatchObject([{ clientId: 'C2' }])
})

test('a secret is as masked in a miss as in the journal', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.fiatOrders('r1')
  const answer = await verify(emulator, { where: { 'headers.access-token': 'T2' } })
  expect(answer.json.nearest).toMatchObject([{ differs: [{ found: '…(2 characters)' }] }])
})

test.each([
  [
    { where: { operatoin: 'orders' } },
    'where.operatoin: is not a field of a request; did you mean `operation`?',
  ],
  [
    { where: { fiatAmount: '1' } },
    'where.fiatAmount: is not a field of a request; for a field in the body, write `body.fiatAmount`',
  ],
  [
    { where: { operation: 'create_order' }, count: 0 },
    'where.operation: is never "create_order"; did you mean `create-order`?',
  ],
  [
    { where: { operation: 'checkout*' }, count: 0 },
    'where.operation: is never "checkout*"; use create-order, ',
  ],
  [{ where: { status: '2xx' }, count: 0 }, 'where.status: is a number, not "2xx"'],
  [{ where: { 'diagnosis.cause': 'signature.key' } }, 'where.diagnosis.cause: is never "signature.key"'],
  [{ where: { requestId: 7 } }, 'where.requestId: is a text, not 7; put it in quotes'],
  [{ operation: 'orders' }, 'operation: unknown key `operation`; put it into `where`'],
  [{ 'body.fiatAmount': '1' }, 'put it into `where`'],
  [{ count: 1, atLeast: 1 }, 'count: cannot be combined with atLeast or atMost'],
  [{ atLeast: 2, atMost: 1 }, 'atMost: is less than atLeast'],
  [{ count: -1 }, 'count: '],
  [{ count: '1' }, 'count: '],
  [{ atleast: 1 }, 'atleast: '],
])('%j is refused in words', async (body, words) => {
  const { emulator } = await startFixture()
  const answer = await verify(emulator, body)
  expect([answer.status, answer.json]).toMatchObject([
    400,
    { error: { message: expect.stringContaining(words) } },
  ])
})

test('a miss is told in the words in which was asked', async () => {
  const where = { operation: 'create-order', requestId: 'r1', status: 401 }
  const { json } = await verify(await afterSomeRequests(), { where })
  expect(json.nearest).toContainEqual(
    expect.objectContaining({
      operation: 'orders',
      differs: expect.arrayContaining([{ member: 'operation', wanted: 'create-order', found: 'orders' }]),
    }),
  )
})

test('an unknown client is refused', async () => {
  const { emulator } = await startFixture()
  expect((await verify(emulator, { where: { clientId: 'nobody' }, count: 0 })).status).toBe(404)
  expect((await verify(emulator, { where: { clientId: 'C1' } }, '?clientId=C2')).status).toBe(400)
  expect((await verify(emulator, { clientId: 'nobody' })).status).toBe(404)
  expect((await verify(emulator, { clientId: 'C1' }, '?clientId=C2')).status).toBe(400)
})
