import { afterAll, expect, test } from 'vitest'
import type { TestClient } from '../support/client.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { planFault } from '../support/faults.ts'

const json = { 'content-type': 'application/json' }
/** For what is refused, and so changes nothing. */
const shared = await startTestEmulator({}, afterAll)
await shared.addClient({ clientId: 'C1' })

const plain = { on: 'orders', effect: { status: 500 } }

test('POST answers 201 and all that holds, also what was left out', async () => {
  const { emulator, c1 } = await startFixture()
  const body = { on: 'create-order', where: { requestId: 'r1' }, effect: { status: 503 } }
  const answer = await emulator.send('/_emulator/faults?clientId=C1', { method: 'POST', headers: json, body })
  expect(answer.status).toBe(201)
  expect(answer.json).toEqual({
    id: expect.stringMatching(/^flt_\w{20}$/),
    clientId: 'C1',
    ...body,
    when: 'before',
    skip: 0,
    times: 1,
    for: null,
    until: null,
    probability: null,
    calls: 0,
    hits: 0,
    over: false,
  })
  const delivery = await planFault(emulator, c1, { on: 'delivery', effect: { drop: true }, nth: 3 })
  expect(delivery).toMatchObject({ when: null, skip: 2, times: 1 })
})

test.each<[object, string]>([
  [{}, 'on: is missing; effect: is missing'],
  [{ on: 'ordrs', effect: { status: 500 } }, 'did you mean `orders`?'],
  [{ ...plain, tmes: 2 }, 'tmes: unknown key `tmes`; did you mean `times`?'],
  [{ ...plain, effect: { stats: 500 } }, 'effect.stats: unknown key `stats`; did you mean `status`?'],
  [{ ...plain, effect: {} }, 'effect: is empty'],
  [{ ...plain, effect: { status: 500, hang: '1s' } }, 'effect.status: cannot be combined with `hang`'],
  [{ ...plain, effect: { sign: 'wrong' } }, 'effect.sign: is an effect on deliveries'],
  [{ ...plain, when: 'stord' }, 'did you mean `stored`?'],
  [
    { ...plain, effect: { status: 500, body: { a: 2 ** 53 } } },
    'effect.body: has a number that is too large',
  ],
  [{ ...plain, effect: { stale: false } }, 'effect.stale: expected `true`'],
  [
    { on: 'create-order', effect: { stale: true } },
    'effect.stale: is an effect on lookups, not on `create-order`; it needs `on`: orders, crypto-orders, fiat-refunds',
  ],
  [
    { on: ['orders', 'webhook-url', 'access-token'], effect: { stale: true } },
    'effect.stale: is an effect on lookups, not on `webhook-url`, `access-token`',
  ],
  [{ on: 'simulate-webhook', effect: { stale: true } }, 'effect.stale: is an effect on lookups'],
  [{ on: 'delivery', effect: { stale: true } }, 'effect.stale: is an effect on lookups'],
  [{ ...plain, when: 'unchecked', effect: { stale: true } }, 'effect.stale: needs `when: before`'],
  [{ ...plain, effect: { stale: true, status: 200 } }, 'effect.status: cannot be combined with `stale`'],
  [
    { ...plain, when: 'stored', effect: { stale: true, body: {} } },
    'effect.body: cannot be combined with `stale`',
  ],
  [{ ...plain, effect: { stale: true, reset: true } }, 'effect.stale: cannot be combined with `reset`'],
  [{ ...plain, effect: { stale: true, cut: true } }, 'effect.cut: needs a `status`'],
  [{ ...plain, where: { requestID: 'r' } }, 'did you mean `requestId`?'],
  [{ ...plain, where: { orderStatus: 'FAILED' } }, 'where: a call has no `orderStatus`'],
  [{ ...plain, times: 0 }, 'times: must be at least 1'],
  [{ ...plain, times: null }, 'times: null has no end; add `for` or `until`'],
  [{ ...plain, times: 2, nth: 2 }, 'nth: means one call'],
  [{ ...plain, skip: 2, nth: 2 }, 'nth: cannot be combined with `skip`'],
  [{ ...plain, for: '2' }, 'for: expected a duration, but 2 has no unit'],
  [{ ...plain, for: '2m', until: 0 }, 'until: cannot be combined with `for`'],
  [{ ...plain, until: '2026-04-21T16:00:00Z' }, 'until: 2026-04-21T16:00:00.000Z has passed'],
  [{ ...plain, probability: 0 }, 'probability: must be more than 0'],
  [{ ...plain, probability: 1.5 }, 'probability: must be at most 1'],
  [{ ...plain, on: ['orders', 'delivery'] }, 'on.1: expected'],
  [{ ...plain, on: 'delivery' }, 'effect.status: is an effect on calls; for a delivery, use `countAs`'],
  [{ on: 'delivery', effect: { patch: {} } }, 'effect.patch: a webhook has the same bytes in every attempt'],
  [{ on: 'delivery', effect: { simultaneous: 2 } }, 'effect.simultaneous: only a scenario'],
  [
    { on: 'delivery', effect: { drop: true, sign: false } },
    'effect.drop: cannot be combined with other effects',
  ],
  [{ on: 'delivery', effect: { apart: '2s' } }, 'effect.apart: needs `duplicate`'],
  [
    { on: 'delivery', effect: { duplicate: true } },
    'effect.duplicate: expected a number: 1 sends the webhook once more, so it arrives twice',
  ],
  [
    { on: 'delivery', effect: { drop: true }, where: { orderStatus: 'COMPLETE' } },
    'where.orderStatus: `COMPLETE` looks like a documented status; did you mean `COMPLETED`?',
  ],
  [{ ...plain, times: 'all' }, 'times: expected a whole number, or null for no limit until `for` or `until`'],
  [{ ...plain, for: 10 }, 'for: expected a duration, but 10 has no unit'],
  [
    { on: 'delivery', effect: { tamper: true }, when: 'before' },
    'when: is only for calls, not for deliveries',
  ],
  [{ on: 'delivery', effect: { drop: true }, where: { kind: 'payout' } }, 'where: a delivery has no `kind`'],
  [{ ...plain, clientId: 'C2' }, 'clientId: the body and the query name different clients'],
  [{ ...plain, clientId: null }, 'clientId: the body and the query name different clients'],
])('%j is refused with words', async (body, words) => {
  const answer = await shared.send('/_emulator/faults?clientId=C1', { method: 'POST', headers: json, body })
  expect(answer.json.error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(words) })
  expect(answer.status).toBe(400)
  expect((await shared.control('/faults')).items).toEqual([])
})

test.each(['COMPLETE*', 'ON_REVIEW'])('a fault may be about the status %s', async (orderStatus) => {
  const { emulator, c1 } = await startFixture()
  const fault = { on: 'delivery', effect: { drop: true }, where: { orderStatus } }
  expect(await planFault(emulator, c1, fault)).toMatchObject({ where: { orderStatus } })
})

test('an effect that is larger than 64 KiB is refused', async () => {
  const body = { on: 'orders', effect: { status: 500, body: 'x'.repeat(65_536) } }
  const answer = await shared.send('/_emulator/faults', { method: 'POST', headers: json, body })
  expect(answer.json.error).toMatchObject({ message: 'effect: is larger than 64 KiB' })
})

test.each([
  ['POST', '/faults', { ...plain, clientId: 'nobody' }, 'client_unknown'],
  ['POST', '/faults?clientId=nobody', plain, 'client_unknown'],
  ['GET', '/faults?clientId=nobody', undefined, 'client_unknown'],
  ['DELETE', '/faults?clientId=nobody', undefined, 'client_unknown'],
  ['GET', '/faults/flt_0', undefined, 'fault_unknown'],
  ['DELETE', '/faults/flt_0', undefined, 'fault_unknown'],
])('%s %s of what is not there is 404', async (method, path, body, code) => {
  const answer = await shared.send(`/_emulator${path}`, { method, headers: json, body })
  expect(answer.status).toBe(404)
  expect(answer.json.error).toMatchObject({ code })
})

test('with clientId a fault of another client is not there, neither to read nor to remove', async () => {
  const { emulator, c1 } = await startFixture()
  const { id } = await planFault(emulator, c1, plain)
  for (const method of ['GET', 'DELETE']) {
    const answer = await emulator.send(`/_emulator/faults/${id}?clientId=C2`, { method, headers: json })
    expect(answer.status).toBe(404)
  }
  expect((await emulator.control(`/faults/${id}?clientId=C1`)).json).toMatchObject({ id })
})

test('what is listed is the client’s own, page by page', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const planned = [c1, c2, null, c1, c1]
  const ids: unknown[] = []
  for (const owner of planned) ids.push((await planFault(emulator, owner, plain)).id)
  const list = async (query: string) => (await emulator.control(`/faults?${query}`)).json
  expect(await list('limit=2')).toMatchObject({ items: [{ id: ids[0] }, { id: ids[1] }] })
  const own = await list('clientId=C1&limit=2')
  expect(own).toMatchObject({ items: [{ id: ids[0] }, { id: ids[3] }] })
  expect(await list(`clientId=C1&cursor=${own.next}`)).toMatchObject({ items: [{ id: ids[4] }], next: null })
  expect(await list('order=newest&limit=1')).toMatchObject({ items: [{ id: ids[4] }] })
})

test('the same plan at the same place has the same id in another run', async () => {
  const idsOf = async () => {
    const { emulator, c1 } = await startFixture()
    const ids: unknown[] = []
    for (const fault of [plain, plain, { ...plain, times: 2 }])
      ids.push((await planFault(emulator, c1, fault)).id)
    return ids
  }
  const ids = await idsOf()
  expect(new Set(ids).size).toBe(3)
  expect(await idsOf()).toEqual(ids)
})

test('faults of one client, and whether it has come from a snapshot, change no ids of another’s', async () => {
  const idsOf = async (between: (emulator: TestEmulator, client: TestClient) => Promise<unknown>) => {
    const { emulator, c1, c2 } = await startFixture()
    const ids = [(await planFault(emulator, c2, plain)).id]
    await between(emulator, c1)
    return [...ids, (await planFault(emulator, c2, plain)).id]
  }
  const alone = await idsOf(async () => undefined)
  const beside = await idsOf(async (emulator, client) => {
    await planFault(emulator, client, plain)
    const { json: snapshot } = await emulator.control('/snapshot?clientId=C1')
    const next = await planFault(emulator, client, plain)
    await emulator.control('/snapshot?clientId=C1', 'PUT', snapshot)
    expect((await planFault(emulator, client, plain)).id).toBe(next.id)
  })
  expect(beside).toEqual(alone)
})

test('a fault that is removed is done no more, and answered as it was', async () => {
  const { emulator, c1 } = await startFixture()
  const { id } = await planFault(emulator, c1, { ...plain, times: 5 })
  await c1.fiatOrders('r1')
  const removed = (await emulator.control(`/faults/${id}`, 'DELETE')).json
  expect(removed).toMatchObject({ id, hits: 1, over: false })
  expect((await c1.fiatOrders('r1')).status).toBe(200)
  expect((await emulator.send(`/_emulator/faults/${id}`, { method: 'GET' })).status).toBe(404)
})

test('DELETE of all says how many; of one client it leaves the others’ and those of all', async () => {
  const { emulator, c1, c2 } = await startFixture()
  for (const owner of [c1, c1, c2, null]) await planFault(emulator, owner, plain)
  expect((await emulator.control('/faults?clientId=C1', 'DELETE')).json).toEqual({ removed: 2 })
  expect((await emulator.control('/faults', 'DELETE')).json).toEqual({ removed: 2 })
  expect((await c1.fiatOrders('r1')).status).toBe(200)
})

test.each([
  ['/reset?clientId=C1', 'POST', [200, 500]],
  ['/reset', 'POST', [200, 200]],
])('%s removes faults', async (path, method, statuses) => {
  const { emulator, c1, c2 } = await startFixture()
  for (const owner of [c1, c2]) await planFault(emulator, owner, plain)
  await emulator.control(path, method, { keep: ['clients'] })
  expect([(await c1.fiatOrders('r1')).status, (await c2.fiatOrders('r1')).status]).toEqual(statuses)
})

test('a client that is removed takes its faults along: another of its name has none', async () => {
  const { emulator, c1 } = await startFixture()
  await planFault(emulator, c1, plain)
  await emulator.control('/clients/C1', 'DELETE')
  const again = await emulator.addClient({ clientId: 'C1' })
  expect((await emulator.control('/faults')).items).toEqual([])
  expect((await again.fiatOrders('r1')).status).toBe(200)
})

test('a client has a thousand faults at most, also of many planned at once; those that are over give way', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const plan = (fault: object) =>
    emulator.send('/_emulator/faults?clientId=C1', { method: 'POST', headers: json, body: fault })
  const many = (count: number, fault: object) =>
    Promise.all(Array.from({ length: count }, async () => (await plan(fault)).status))
  const first = await planFault(emulator, c1, plain)
  await many(989, { ...plain, until: (await c1.now()) + 1_000 })
  const statuses = await many(60, { ...plain, for: '1h' })
  expect(statuses.toSorted()).toEqual([...Array(10).fill(201), ...Array(50).fill(409)])
  const full = await plan(plain)
  expect(full.status).toBe(409)
  expect(full.json.error).toMatchObject({ code: 'too_many_faults' })
  await planFault(emulator, c2, plain)

  // One that is over by its count, then many whose time has passed.
  await c1.fiatOrders('r1')
  expect(await many(2, { ...plain, for: '1h' })).toEqual([201, 409])
  expect((await emulator.send(`/_emulator/faults/${first.id}`, { method: 'GET' })).status).toBe(404)
  await c1.advance('1s')
  expect(new Set(await many(60, plain))).toEqual(new Set([201]))
  expect((await emulator.control('/faults?clientId=C1&limit=1000')).items).toHaveLength(1_000)

  // Faults of a removed client must not count for a new client of the same name.
  await emulator.control('/clients/C1', 'DELETE')
  await planFault(emulator, await emulator.addClient({ clientId: 'C1' }), plain)
})

test('`for` of all clients begins anew for one that is made anew, on whatever clock', async () => {
  const { emulator, c1 } = await startFixture()
  await planFault(emulator, null, { ...plain, for: '1m' })
  expect((await c1.fiatOrders('r1')).status).toBe(500)
  const startTime = new Date((await c1.now()) - 366 * 86_400_000).toISOString()
  await emulator.control('/clients/C1', 'DELETE')
  const again = await emulator.addClient({ clientId: 'C1', clock: { mode: 'manual', now: startTime } })
  expect((await again.fiatOrders('r1')).status).toBe(500)
  await again.advance('1m')
  expect((await again.fiatOrders('r1')).status).toBe(200)
})

test('`?over=` tells those that are over from those that are not, page by page', async () => {
  const { emulator, c1 } = await startFixture()
  const ids: unknown[] = []
  for (const requestId of ['r1', 'x', 'r1', 'y', 'z'])
    ids.push((await planFault(emulator, c1, { ...plain, where: { requestId } })).id)
  for (let n = 0; n < 2; n += 1) await c1.fiatOrders('r1')
  const list = async (query: string) => (await emulator.control(`/faults?${query}`)).json
  expect(await list('over=true')).toMatchObject({ items: [{ id: ids[0] }, { id: ids[2] }], next: null })
  const first = await list('over=false&limit=2&clientId=C1')
  expect(first).toMatchObject({ items: [{ id: ids[1] }, { id: ids[3] }] })
  expect(await list(`over=false&cursor=${first.next}`)).toMatchObject({ items: [{ id: ids[4] }], next: null })
})

test.each(['', '?clientId=C1'])(
  'a snapshot%s brings faults back with their counts, as they go on',
  async (query) => {
    const { emulator, c1, c2 } = await startFixture()
    const fault = await planFault(emulator, c1, { ...plain, times: 3 })
    await c1.fiatOrders('r1')
    const { json: snapshot } = await emulator.control(`/snapshot${query}`)
    await emulator.control('/faults', 'DELETE')
    expect((await c1.fiatOrders('r2')).status).toBe(200)
    await emulator.control(`/snapshot${query}`, 'PUT', snapshot)
    expect((await emulator.control('/faults')).items).toMatchObject([{ id: fault.id, calls: 1, hits: 1 }])
    const statuses: number[] = []
    for (const client of [c2, c1, c1, c1]) statuses.push((await client.fiatOrders('r3')).status)
    expect(statuses).toEqual([200, 500, 500, 200])
  },
)

test('a fault for all clients is no fault of the one in the query', async () => {
  const { status, text } = await shared.send('/_emulator/faults?clientId=C1', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { clientId: null, on: 'orders', effect: { status: 503 } },
  })
  expect(status).toBe(400)
  expect(text).toContain('the body and the query name different clients')
})
