import Sqlite, { type Database } from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Attempt } from '../../src/domain/delivery.ts'
import type { GivenSnapshot } from '../../src/store/snapshot.ts'
import { migrate, schemaVersion } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/migrations.generated.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aScenario } from '../domain/factories.ts'
import { aResult } from './factories.ts'

/** What an earlier version of the program has written: an order in mid-life, its webhook waiting. */
const rows = [
  `insert into world (id, seed) values (1, 'seed')`,
  `insert into clients (seq, client_id, api_secret, access_token, webhook_secret, webhook_paused, default_scenario,
     clock_mode, clock_speed, clock_anchor, clock_anchor_wall, settings)
   values (4, 'shop', 's', 't', 'whsec_AAAA', 0, 'happy', 'manual', 0, 1000, 1000, '{"orders.expiry":"5m"}')`,
  `insert into tokens (client_id, token, expires_at) values ('shop', 'issued', 9000)`,
  `insert into scenario_versions (version, scenario_json) values ('v1', '${JSON.stringify(aScenario([]))}')`,
  `insert into orders (seq, client_id, order_id, request_id, charge, version, order_status, created_at, next_due_at,
     token, kind, fiat_amount, currency_id, email, crypto_cur_id, crypto_amount, payment_status, settlement_status,
     updated_at, expires_at, scenario_id, scenario_why, scenario_version, next_step, shift_ms, waits_for_payer, events,
     request, terms)
   values (7, 'shop', 'o1', 'r1', 1, 1, 'CREATED', 900, 5000, 'p1', 'checkout', '10.00', 'usd', 'a@b', 'USDT', '10',
     'CREATED', 'NOT_REQUIRED', 900, 9000, 'happy', 'default', 'v1', 0, 0, 0, 1, '{"paymentMethodId":"PIX","userId":"u"}',
     '{"onExpiry":"keep"}')`,
  `insert into deliveries (seq, client_id, order_seq, sequence, status, due_at, in_flight, blocking, attempt, order_id,
     request_id, id, webhook_id, event_type, order_status, order_type, created_at, body)
   values (9, 'shop', 7, 1, 'pending', 950, 0, 1, 0, 'o1', 'r1', 'del_1', 'msg_1', 'e', 'CREATED', 'CHECKOUT', 900, '{}')`,
]
/** And one that was delivered with its second attempt. */
const tried = `insert into deliveries (seq, client_id, order_seq, sequence, status, due_at, in_flight, blocking, attempt,
     order_id, request_id, id, webhook_id, event_type, order_status, order_type, created_at, url, body)
   values (11, 'shop', 7, 2, 'delivered', 960, 0, 0, 2, 'o1', 'r1', 'del_2', 'msg_2', 'e', 'PAID', 'CHECKOUT', 901,
     'http://a.test/', '{}')`
const attempts = {
  earlier: [11, 1, 951, 51, 'http://a.test/old', 'refused', 500, 1.5, '{"a":"1"}', 'no', null],
  latest: [11, 2, 960, 60, 'http://a.test/', 'accepted', 200, 2.5, '{"a":"2"}', 'yes', null],
} as const
const insertAttempt = `insert into attempts (delivery_seq, n, at, wall_at, url, outcome, status, ms, request_headers,
     response_body, error) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const inRow = `update deliveries set attempt_at = 960, attempt_wall_at = 60, outcome = 'accepted', answer_status = 200,
     attempt_ms = 2.5, request_headers = '{"a":"2"}', response_body = 'yes' where seq = 11`
const history = `insert into order_history (order_seq, at, what) values (7, 900, 'created')`
const inOrder = `update orders set history = '[{"at":900,"what":"created"}]'`

function snapshotAt(schema: number): GivenSnapshot {
  const sqlite = new Sqlite(':memory:')
  onTestFinished(() => void sqlite.close())
  migrate(sqlite, migrations.slice(0, schema))
  for (const row of [...rows, tried, schema < 5 ? history : inOrder]) sqlite.exec(row)
  sqlite.prepare(insertAttempt).run(attempts.earlier)
  if (schema < 13) sqlite.prepare(insertAttempt).run(attempts.latest)
  else sqlite.exec(inRow)
  return { version: '0.0.1', schema, tables: tablesOf(sqlite) }
}

/** All but what follows from the rest and what says nothing. */
function tablesOf(sqlite: Database): GivenSnapshot['tables'] {
  const names = sqlite
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and name not like 'order_keys%'`,
    )
    .pluck()
    .all()
  const columnsOf = sqlite
    .prepare<[string], string>(`select '"' || name || '"' from pragma_table_info(?) where name <> 'room'`)
    .pluck()
  return Object.fromEntries(
    names.map((name) => {
      const statement = sqlite.prepare<[], unknown[]>(`select ${columnsOf.all(name)} from "${name}"`).raw()
      return [name, { columns: statement.columns().map((column) => column.name), rows: statement.all() }]
    }),
  )
}

const attemptRow = ({ requestHeaders, ...attempt }: Attempt) => [
  11,
  ...[attempt.n, attempt.at, attempt.wallAt, attempt.url, attempt.outcome, attempt.status, attempt.ms],
  ...[JSON.stringify(requestHeaders), attempt.responseBody, attempt.error],
]

const everySchema = Array.from({ length: schemaVersion }, (_, index) => index + 1)

test.each(everySchema)('a snapshot of schema %i is brought up to this one', async (schema) => {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  onTestFinished(() => store.close())
  const read = await store.readSnapshot(snapshotAt(schema))
  expect(read).toMatchObject({ clientIds: ['shop'], commonSettings: {} })
  await read.write(2_000)
  read.close()
  expect(await store.clients()).toMatchObject([
    { clientId: 'shop', settings: { 'orders.expiry': '5m' }, holds: [] },
  ])
  expect(await store.ordersOf('shop', 'r1')).toMatchObject([
    { orderId: 'o1', nextDueAt: 5_000, refunds: null },
  ])
  const inLookup = await store.lookUpOrders('shop', 'r1')
  expect(inLookup).toMatchObject([{ orderId: 'o1', request: { paymentMethodId: 'PIX' } }])
  expect((await store.historiesOf(['o1'])).get('o1')).toEqual([{ at: 900, what: 'created' }])
  expect(await store.nextDeliveryDue('shop', 0)).toBe(950)
  expect(await store.findDelivery('del_1')).toMatchObject({ attempts: [] })
  const { attempts: made } = (await store.findDelivery('del_2')) ?? {}
  expect(made?.map(attemptRow)).toEqual([attempts.earlier, attempts.latest])
  expect(await store.tokens()).toMatchObject([{ token: 'issued' }])
  expect(await store.seed('another')).toBe('seed')
})

test('a snapshot of a later schema is refused with both versions', async () => {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  onTestFinished(() => store.close())
  const newer = { ...snapshotAt(schemaVersion), version: '7.0.0', schema: schemaVersion + 1 }
  await expect(store.readSnapshot(newer)).rejects.toMatchObject({
    code: 'snapshot_newer',
    message: expect.stringMatching(new RegExp(`7\\.0\\.0.*${schemaVersion + 1}.*${schemaVersion}`)),
  })
})

test('what an earlier schema did not know is refused in its snapshots', async () => {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  onTestFinished(() => store.close())
  const mixed = { ...snapshotAt(schemaVersion), schema: 1 }
  await expect(store.readSnapshot(mixed)).rejects.toMatchObject({ code: 'snapshot_invalid' })
})

test('a webhook of whose attempts a snapshot tells nothing is sent again as the next one', async () => {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  onTestFinished(() => store.close())
  const { tables, ...snapshot } = snapshotAt(12)
  const { columns = [] } = tables.attempts ?? {}
  const read = await store.readSnapshot({
    ...snapshot,
    tables: { ...tables, attempts: { columns, rows: [] } },
  })
  await read.write(2_000)
  read.close()
  expect(await store.resendDelivery('del_2', 1_000)).toMatchObject({ attempts: [] })
  const claim = { clientId: 'shop', until: 1_000, now: 1_000, wallNow: 70, url: 'http://a.test/', holds: [] }
  // The one before it goes first.
  await store.claimDeliveries({ ...claim, limit: 1 })
  await store.finishAttempt('del_1', 1, aResult())
  const { claimed } = await store.claimDeliveries({ ...claim, limit: 1 })
  expect(claimed).toMatchObject([{ id: 'del_2', attempt: 3 }])
  expect(await store.findDelivery('del_2')).toMatchObject({ attempts: [{ n: 3, outcome: 'unknown' }] })
})

test('JSON that is none is named, whichever schema it was written under', async () => {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  onTestFinished(() => store.close())
  for (const schema of everySchema) {
    const text = JSON.stringify(snapshotAt(schema)).replace('{\\"paymentMethodId\\"', '{paymentMethodId')
    await expect(store.readSnapshot(JSON.parse(text))).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: expect.stringContaining('request: is not JSON'),
    })
  }
})
