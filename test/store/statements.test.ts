import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Generation } from '../../src/domain/client/client.ts'
import { migrate } from '../../src/store/sqlite/database-file.ts'
import { sqliteStore } from '../../src/store/sqlite/open.ts'
import type { ListQuery, Store } from '../../src/store/store.ts'
import {
  aChange,
  aClient,
  aCountedCall,
  aDecision,
  aDelivery,
  anEntry,
  anOrder,
  aResult,
  aRule,
  several,
  shop,
} from './factories.ts'

/** Calls the verbs that a running emulator calls often, so many times. */
async function calls(store: Store, generation: Generation, times: number) {
  const due = { clientId: shop, generation, until: 1_000 }
  const claim = { ...due, now: 1_000, wallNow: 1, url: '', limit: times }
  await Promise.all(
    several(times, async () => {
      const order = anOrder({ nextDueAt: 1 })
      const { orderId, requestId, token } = order
      const event = aDelivery({ orderId, requestId })
      await store.bindingFor(shop, requestId)
      await store.findScenarioVersion('v1')
      await store.commit(aDecision(order, { events: [event] }), generation)
      await store.findOrder(orderId)
      await store.findOrderByToken(token)
      await store.ordersOf(shop, requestId)
      await store.usedByAnotherClient(shop, requestId)
      await store.commit(aChange(order, {}, { history: [{ at: 1, what: 'order' }] }), generation)
      await store.pastsOf([orderId])
      await store.releaseAnswer(order, 1, generation)
      await store.countSimulations(shop, requestId)
      await store.countAnswer({ ...aCountedCall([aRule()], { requestId }), generation })
      await store.appendRequests([anEntry()], { all: 0, each: 0 })
      await store.holdDeliveries({ ...due, holds: [{ requestId }] })
      await store.releaseDeliveries(shop, { requestId }, 1_000)
      await store.findDelivery(event.id)
    }),
  )
  const { claimed } = await store.claimDeliveries({ ...claim, holds: [{ requestId: 'another' }] })
  for (const { id, attempt } of claimed) {
    const end = { deliveryId: id, clientId: shop, generation, attempt, result: aResult() }
    await store.finishAttempt(end)
    await store.resendDelivery(id, 1)
  }
  const limits = { skip: 0, times: null, probability: null }
  const fault = { id: 'none', where: {}, limits, endsAt: null, at: 1, effect: { delayMs: 0, faults: {} } }
  await store.claimDeliveries({ ...claim, holds: [], faults: [fault] })
  await store.skipDeliveries({ ...due, limit: times })
  await store.ordersWithDeliveriesDue(shop, 1_000)
  await store.dueOrders(shop, 1, 10)
  await store.ordersDue(shop, 1)
  await store.nextOrderDue(shop)
  await store.nextDeliveryDue(shop, 1)
  await store.claimDeliveries({ ...claim, holds: [{ requestId: 'another' }], strict: true })
  await store.ordersWithDeliveriesDue(shop, 1_000, undefined, { strict: true })
  await store.nextDeliveryDue(shop, 1, undefined, { strict: true })
  await store.blockersOf(['one'], 1)
  const batch = { max: 2, within: 1 }
  await store.claimDeliveries({ ...claim, holds: [{ requestId: 'another' }], batch })
  await store.nextDeliveryDue(shop, 1, undefined, { batch })
}

test('no statement is prepared while calls are answered that have been answered before', async () => {
  const sqlite = new Sqlite(':memory:')
  migrate(sqlite)
  const store = sqliteStore(sqlite, () => sqlite.close())
  const generation = await store.createClient(aClient({ clientId: shop }))
  const lists = async (id: string) => {
    await store.listOrders({ requestId: id, where: { kind: 'check*' }, limit: 5 })
    await store.listDeliveries({ orderId: id, newestFirst: true, limit: 5 })
  }
  await calls(store, generation, 1)
  await lists('one')
  const spies = (['prepare', 'exec', 'pragma'] as const).map((name) => vi.spyOn(Sqlite.prototype, name))
  await calls(store, generation, 300)
  await lists('another')
  // Not those of stores that other tests have left open.
  const texts = spies.flatMap((spy) =>
    spy.mock.calls.flatMap(([text], call) => (spy.mock.contexts[call] === sqlite ? [text] : [])),
  )
  // These are so short that it makes no difference.
  expect(texts.filter((text) => text !== 'begin immediate' && text !== 'commit')).toEqual([])
  for (const spy of spies) spy.mockRestore()
  await store.close()
})

describe('the way to rows', () => {
  /** Tables that stay small, or that only rare verbs walk through; and an index of nothing but what is counted. */
  const mayBeScanned =
    /^((CONSTANT ROW|clients|tokens|bindings|faults|scenario_texts|world|json_each)\b|(deliveries USING COVERING INDEX deliveries_(pending|held)|(orders|requests) USING COVERING INDEX (orders|requests)_client)$)/
  /** Statements that touch all rows anyway: a reset and its preparation. */
  const mayScan = /^delete from /

  const sqlite = new Sqlite(':memory:')
  migrate(sqlite)
  const preparedBy = async (act: () => Promise<unknown>): Promise<string[]> => {
    const spy = vi.spyOn(Sqlite.prototype, 'prepare')
    await act()
    const prepared = spy.mock.calls.map(([statement]) => statement)
    spy.mockRestore()
    return [...new Set(prepared.map((one) => one.trim()))].filter((one) =>
      /^(select|update|delete)/.test(one),
    )
  }
  let store: Store
  let statements: string[]
  beforeAll(async () => {
    statements = await preparedBy(async () => {
      store = sqliteStore(sqlite, () => sqlite.close())
      const generation = await store.createClient(aClient({ clientId: shop }))
      await calls(store, generation, 1)
      await store.reset({ clientId: shop, clients: false })
    })
  })

  afterAll(() => store.close())

  const planOf = (statement: string): string[] => {
    const explained = sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${statement}`)
    const named = Object.fromEntries(
      (statement.match(/:[a-z]\w*/gi) ?? []).map((name) => [name.slice(1), null]),
    )
    const unnamed = several(statement.split('?').length - 1, () => null)
    return explained.all(...unnamed, named).map(({ detail }) => detail)
  }

  test('leads through an index', () => {
    expect(statements.length).toBeGreaterThan(40)
    const scans = statements
      .filter((statement) => !mayScan.test(statement))
      .flatMap((statement) => planOf(statement).map((step) => ({ statement, step })))
      .filter(({ step }) => step.startsWith('SCAN ') && !mayBeScanned.test(step.slice(5)))
    expect(scans).toEqual([])
  })

  test('is planned once: no planner looks at the value of a parameter', () => {
    const sorted = statements.filter((one) => one.startsWith('select') && one.includes('order by'))
    expect(sorted.length).toBeGreaterThan(8)
    expect(sorted.filter((one) => /(=|<|>|limit) [?:]/.test(one))).toEqual([])
  })

  /** The plan of what a list prepares when it is asked in a new way. */
  const listPlan = async (list: 'listOrders' | 'listDeliveries', query: Partial<ListQuery>) => {
    const all = await preparedBy(() => store[list]({ limit: 5, ...query }))
    const prepared = all.filter((one) => !/^select (min|max)\(seq\)/.test(one))
    expect(prepared).toHaveLength(1)
    return prepared.flatMap(planOf)
  }

  const oneClient = 'SEARCH orders USING INDEX orders_client (client_id=? AND rowid>? AND rowid<?)'
  const bySeq = (table: string) => `SEARCH ${table} USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)`
  test.each<['listOrders' | 'listDeliveries', Partial<ListQuery>, string]>([
    ['listOrders', {}, bySeq('orders')],
    ['listOrders', { status: 'FAILED', search: 'x' }, bySeq('orders')],
    ['listOrders', { where: { requestId: 'x*', email: 'y' } }, bySeq('orders')],
    ['listOrders', { clientId: shop }, oneClient],
    ['listOrders', { clientId: shop, status: 'FAILED', where: { kind: 'x' } }, oneClient],
    ['listDeliveries', {}, bySeq('deliveries')],
    ['listDeliveries', { clientId: shop, status: 'pending', search: 'x' }, bySeq('deliveries')],
    ['listDeliveries', { where: { outcome: 'timeout' } }, bySeq('deliveries')],
  ])('of a page leads along the list, already sorted: %s %j', async (list, query, step) => {
    for (const newestFirst of [false, true]) {
      const plan = await listPlan(list, { ...query, newestFirst })
      expect(plan[0]).toBe(step)
      expect(plan.join()).not.toContain('TEMP B-TREE')
    }
  })

  test.each<['listOrders' | 'listDeliveries', Partial<ListQuery>, string]>([
    ['listOrders', { orderId: 'o', status: 'FAILED' }, 'orders USING INDEX orders_order_id (order_id=?)'],
    ['listOrders', { requestId: 'r', search: 'x' }, 'orders USING INDEX orders_request (request_id=?)'],
    ['listDeliveries', { orderId: 'o', search: 'x' }, 'deliveries USING INDEX deliveries_order (order_seq=?'],
    ['listDeliveries', { requestId: 'r' }, 'deliveries USING INDEX deliveries_order (order_seq=?'],
  ])('of one order’s things leads to that order: %s %j', async (list, query, step) => {
    const plan = await listPlan(list, query)
    expect(plan).toContainEqual(expect.stringContaining(step))
    expect(plan.filter((one) => /^SCAN (orders|deliveries)/.test(one))).toEqual([])
  })

  test('to how many entries of the journal are whose, and to the oldest of them, leads through an index alone', () => {
    const plansOf = (part: string) => statements.filter((one) => one.includes(part)).map(planOf)
    expect(plansOf('count(*) from requests group by')).toEqual([
      ['SCAN requests USING COVERING INDEX requests_client'],
    ])
    const [oldest = []] = plansOf('from requests where client_id is ? order by seq')
    expect(oldest).toContain('SEARCH requests USING COVERING INDEX requests_client (client_id=?)')
    expect(oldest.join()).not.toContain('TEMP B-TREE')
  })

  test('to the ends of a list takes two looks', () => {
    for (const end of ['min', 'max'])
      expect(planOf(`select ${end}(seq) from orders`)).toEqual(['SEARCH orders'])
  })

  test('to what is due leads through the partial indexes, already sorted', () => {
    const plans = statements
      .filter(
        (one) => one.includes('due_at <= +:until order by due_at') || one.includes('released = 0 order'),
      )
      .map(planOf)
    // For claiming or skipping, and for holds: each delivery alone, in strict order, and in both parts of batches.
    expect(plans).toHaveLength(8)
    for (const plan of plans) {
      expect(plan).toContainEqual(
        expect.stringContaining('deliveries_pending (client_id=? AND in_flight=? AND due_at>?'),
      )
      expect(plan).toContainEqual(expect.stringContaining('deliveries_blocking (order_seq=? AND sequence<?)'))
      expect(plan.join()).not.toContain('TEMP B-TREE')
    }
  })

  test('to older deliveries in strict order leads through the partial indexes', () => {
    const strict = statements.filter((one) => one.includes('deliveries as older'))
    expect(strict).toHaveLength(5)
    for (const plan of strict.map(planOf)) {
      const older = plan.filter((step) => / older /.test(step))
      expect(older).toHaveLength(2)
      for (const step of older) expect(step).toMatch(/^SEARCH older USING INDEX deliveries_(pending|held) /)
    }
  })

  test('to what is unfinished leads through the partial index too', () => {
    const plans = statements
      .filter((one) => one.includes('due_at <=') && one.includes('distinct'))
      .map(planOf)
    // In per-order and in strict order.
    expect(plans).toHaveLength(2)
    for (const plan of plans)
      expect(plan.join()).toContain('deliveries_pending (client_id=? AND in_flight=? AND due_at<?)')
  })

  test.each([
    ['an orderId', 'where order_id = +?', 'orders_order_id (order_id=?)'],
    ['a token', 'where token = +?', 'orders_token (token=?)'],
    [
      'a requestId',
      'client_id = +:clientId order by charge',
      'orders_request (request_id=? AND client_id=?)',
    ],
  ])('by %s leads through its unique index, already sorted', (_, condition, index) => {
    const plans = statements
      .filter((one) => one.startsWith('select') && one.includes('"charge"') && one.endsWith(condition))
      .map(planOf)
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) expect(plan).toEqual([`SEARCH orders USING INDEX ${index}`])
  })

  test('of a client that is emptied leads past the deliveries of others', () => {
    const deletes = statements.filter((one) => /^delete from deliveries where/.test(one))
    const steps = deletes.flatMap(planOf).filter((step) => step.includes(' deliveries '))
    expect(steps.length).toBeGreaterThan(1)
    const ofOrders = /^SEARCH deliveries USING (COVERING )?INDEX deliveries_order \(order_seq=\?\)$/
    const found = 'SEARCH deliveries USING INTEGER PRIMARY KEY (rowid=?)'
    for (const step of steps) if (step !== found) expect(step).toMatch(ofOrders)
  })
})
