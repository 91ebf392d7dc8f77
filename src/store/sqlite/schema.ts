import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { SettingsOverlay } from '../../domain/choices/settings.ts'
import type { Client, ClockState, PreviousSecret } from '../../domain/client/client.ts'
import type { PlannedFault } from '../../domain/faults/planned-fault.ts'
import type { Diagnosis, JournalEntry, Operation } from '../../domain/journal/entry.ts'
import type {
  ErrorReason,
  HistoryEntry,
  Lookups,
  OrderKind,
  OrderRequest,
  OrderTerms,
  Refund,
  RefundFailure,
  Replaced,
  Subscription,
} from '../../domain/order/order.ts'
import type { CryptoLeg } from '../../domain/scenario/scenario.ts'
import type { Attempt, AttemptOutcome, DeliveryPlan, DeliveryStatus } from '../../domain/webhook/delivery.ts'

// Every table is STRICT: `database-file.ts` adds the keyword, which drizzle does not know. Columns used as filters
// stand first and long ones last, because SQLite reads a row from its start.

/** The table with a single row, for data that exists once per database. */
export const world = sqliteTable(
  'world',
  {
    id: integer('id').primaryKey(),
    seed: text('seed'),
    prunedRequests: integer('pruned_requests').notNull().default(0),
    /** The settings of all clients set over the control API; they override those of the start. */
    settings: text('settings', { mode: 'json' }).$type<SettingsOverlay>().notNull().default({}),
    /** The number of faults planned for all clients; fault ids follow from it. */
    plannedFaults: integer('planned_faults').notNull().default(0),
    /** The latest generation of any client. Never decreases. */
    generation: integer('generation').notNull().default(0),
  },
  (t) => [check('world_is_one', sql`${t.id} = 1`)],
)

export const clients = sqliteTable('clients', {
  seq: integer('seq').primaryKey(),
  clientId: text('client_id').notNull().unique(),
  /** The client's generation; see `Store`. */
  generation: integer('generation').notNull(),
  apiSecret: text('api_secret').notNull(),
  accessToken: text('access_token').notNull().unique(),
  webhookSecret: text('webhook_secret').notNull(),
  previousWebhookSecret: text('previous_webhook_secret', { mode: 'json' }).$type<PreviousSecret>(),
  webhookUrl: text('webhook_url'),
  webhookPaused: integer('webhook_paused', { mode: 'boolean' }).notNull(),
  pausedAfter: integer('paused_after'),
  failedInARow: integer('failed_in_a_row').notNull().default(0),
  ownTokenExpired: integer('own_token_expired', { mode: 'boolean' }).notNull().default(false),
  tokensRefusedUntil: integer('tokens_refused_until'),
  defaultScenario: text('default_scenario').notNull(),
  clockMode: text('clock_mode').$type<ClockState['mode']>().notNull(),
  clockSpeed: real('clock_speed').notNull(),
  clockAnchor: integer('clock_anchor').notNull(),
  clockAnchorWall: integer('clock_anchor_wall').notNull(),
  settings: text('settings', { mode: 'json' }).$type<Client['settings']>().notNull(),
  holds: text('holds', { mode: 'json' }).$type<Client['holds']>().notNull().default([]),
  /** The number of faults planned since the last reset; fault ids follow from it. */
  plannedFaults: integer('planned_faults').notNull().default(0),
  /** The client's time and the wall-clock time of its creation. */
  beganAt: integer('began_at').notNull().default(0),
  beganWallAt: integer('began_wall_at').notNull().default(0),
})

const ownedByClient = () =>
  text('client_id')
    .notNull()
    .references(() => clients.clientId)

export const tokens = sqliteTable(
  'tokens',
  {
    seq: integer('seq').primaryKey(),
    clientId: ownedByClient(),
    token: text('token').notNull().unique(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('tokens_expiry').on(t.clientId, t.expiresAt)],
)

export const orders = sqliteTable(
  'orders',
  {
    seq: integer('seq').primaryKey(),
    clientId: ownedByClient(),
    orderId: text('order_id').notNull(),
    requestId: text('request_id').notNull(),
    charge: integer('charge').notNull(),
    version: integer('version').notNull(),
    orderStatus: text('order_status').notNull(),
    createdAt: integer('created_at').notNull(),
    nextDueAt: integer('next_due_at'),
    token: text('token').notNull(),
    kind: text('kind').$type<OrderKind>().notNull(),
    fiatAmount: text('fiat_amount').notNull(),
    currencyId: text('currency_id').notNull(),
    email: text('email').notNull(),
    cryptoCurId: text('crypto_cur_id').notNull(),
    cryptoAmount: text('crypto_amount').notNull(),
    paymentStatus: text('payment_status').notNull(),
    settlementStatus: text('settlement_status').notNull(),
    errorReason: text('error_reason', { mode: 'json' }).$type<ErrorReason>(),
    receivedAmount: text('received_amount'),
    txnHash: text('txn_hash'),
    updatedAt: integer('updated_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    paidAt: integer('paid_at'),
    scenarioId: text('scenario_id').notNull(),
    scenarioWhy: text('scenario_why').notNull(),
    scenarioVersion: text('scenario_version').notNull(),
    nextStep: integer('next_step').notNull(),
    stepAt: integer('step_at').notNull().default(0),
    shiftMs: integer('shift_ms').notNull(),
    waitsForPayer: integer('waits_for_payer', { mode: 'boolean' }).notNull(),
    events: integer('events').notNull(),
    request: text('request', { mode: 'json' }).$type<OrderRequest>().notNull(),
    terms: text('terms', { mode: 'json' }).$type<OrderTerms>().notNull(),
    refunds: text('refunds', { mode: 'json' }).$type<readonly Refund[]>(),
    refundError: text('refund_error', { mode: 'json' }).$type<RefundFailure>(),
    crypto: text('crypto', { mode: 'json' }).$type<CryptoLeg>(),
    lookups: text('lookups', { mode: 'json' }).$type<Lookups>(),
    subscription: text('subscription', { mode: 'json' }).$type<Subscription>(),
    replaced: text('replaced', { mode: 'json' }).$type<Replaced>(),
    metadata: text('metadata'),
    /** The history is a column of the order, because the order is written at each change anyway; a table with an
     *  index would be written in addition. */
    history: text('history', { mode: 'json' }).$type<readonly HistoryEntry[]>().notNull().default([]),
  },
  (t) => [
    index('orders_due').on(t.clientId, t.nextDueAt).where(sql`${t.nextDueAt} is not null`),
    uniqueIndex('orders_request').on(t.requestId, t.clientId, t.charge),
    uniqueIndex('orders_order_id').on(t.orderId),
    uniqueIndex('orders_token').on(t.token),
    // Last, so that SQLite counts orders in it: it takes the newest of equally selective indexes.
    index('orders_client').on(t.clientId),
  ],
)

export const scenarioVersions = sqliteTable('scenario_versions', {
  version: text('version').primaryKey(),
  scenarioJson: text('scenario_json').notNull(),
  /** The version of the compiled form (`scenarioFormat`). */
  format: integer('format').notNull().default(1),
})

/** Scenarios uploaded over the control API, as they were written. */
export const scenarioTexts = sqliteTable('scenario_texts', {
  id: text('id').primaryKey(),
  text: text('text').notNull(),
})

export const bindings = sqliteTable('bindings', {
  seq: integer('seq').primaryKey(),
  id: text('id').notNull().unique(),
  scenario: text('scenario').notNull(),
  clientId: text('client_id'),
  requestId: text('request_id'),
  remaining: integer('remaining').notNull(),
})

export const deliveries = sqliteTable(
  'deliveries',
  {
    seq: integer('seq').primaryKey(),
    clientId: ownedByClient(),
    /** null for a simulated delivery, which may name an unknown order. Deliveries of an order are found by this
     *  number and not by the orderId: numbers grow, so new entries stand side by side in an index, while ids are as
     *  good as random and would each touch a page of their own. */
    orderSeq: integer('order_seq').references(() => orders.seq),
    sequence: integer('sequence').notNull(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    dueAt: integer('due_at'),
    inFlight: integer('in_flight', { mode: 'boolean' }).notNull(),
    /** Whether its first attempt has not ended, so that later deliveries of its order wait. */
    blocking: integer('blocking', { mode: 'boolean' }).notNull(),
    /** Whether it was released by hand: no hold applies to its next attempt. */
    released: integer('released', { mode: 'boolean' }).notNull().default(false),
    /** The number of the latest attempt; 0 before the first. `url` says where it went; its other columns stand last. */
    attempt: integer('attempt').notNull(),
    orderId: text('order_id').notNull(),
    requestId: text('request_id').notNull(),
    id: text('id').notNull(),
    webhookId: text('webhook_id').notNull(),
    eventType: text('event_type').notNull(),
    orderStatus: text('order_status').notNull(),
    orderType: text('order_type').notNull(),
    createdAt: integer('created_at').notNull(),
    url: text('url'),
    plan: text('plan', { mode: 'json' }).$type<DeliveryPlan>(),
    body: text('body').notNull(),
    /** The id and time of the batch with which it goes out; null for none. */
    batch: text('batch'),
    batchedAt: integer('batched_at'),
    /** The latest attempt. Stored here because this row is written anyway when an attempt starts and ends, and most
     *  deliveries have one attempt. null before the first. */
    attemptAt: integer('attempt_at'),
    attemptWallAt: integer('attempt_wall_at'),
    outcome: text('outcome').$type<AttemptOutcome>(),
    answerStatus: integer('answer_status'),
    attemptMs: real('attempt_ms'),
    requestHeaders: text('request_headers', { mode: 'json' }).$type<Attempt['requestHeaders']>(),
    responseBody: text('response_body'),
    attemptError: text('attempt_error'),
  },
  (t) => [
    uniqueIndex('deliveries_id').on(t.id),
    index('deliveries_order').on(t.orderSeq),
    index('deliveries_pending').on(t.clientId, t.inFlight, t.dueAt).where(sql`${t.status} = 'pending'`),
    index('deliveries_blocking').on(t.orderSeq, t.sequence).where(sql`${t.blocking} = 1`),
    index('deliveries_held').on(t.clientId).where(sql`${t.status} = 'held'`),
    index('deliveries_batch').on(t.batch).where(sql`${t.batch} is not null`),
    index('deliveries_orderless').on(t.orderId).where(sql`${t.orderSeq} is null`),
    index('deliveries_simulated').on(t.requestId, t.clientId).where(sql`${t.sequence} = 0`),
  ],
)

/** The number of calls of a client and requestId that each scenario rule has answered. Separate from orders, because
 *  a rejected create call counts too and has no order. */
export const answerCounts = sqliteTable(
  'answer_counts',
  {
    clientId: ownedByClient(),
    requestId: text('request_id').notNull(),
    scenarioId: text('scenario_id').notNull(),
    /** The name of the rule in the scenario. */
    rule: text('rule').notNull(),
    calls: integer('calls').notNull(),
    /** The time of the first call that the rule counted. */
    since: integer('since').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.clientId, t.requestId, t.scenarioId, t.rule] })],
)

/** How many orders and deliveries a client has, by status. Triggers count with each change (`counting.ts`). */
export const statusCounts = sqliteTable(
  'status_counts',
  {
    clientId: text('client_id').notNull(),
    what: text('what').$type<'orders' | 'deliveries'>().notNull(),
    status: text('status').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.clientId, t.what, t.status] })],
)

/** Faults planned over the control API. */
export const faults = sqliteTable(
  'faults',
  {
    seq: integer('seq').primaryKey(),
    /** The client of the fault; null for all clients. */
    clientId: text('client_id').references(() => clients.clientId),
    id: text('id').notNull().unique(),
    /** The number of matching calls, and the number of changed ones. */
    calls: integer('calls').notNull().default(0),
    hits: integer('hits').notNull().default(0),
    fault: text('fault', { mode: 'json' }).$type<Pick<PlannedFault, 'asked' | 'ends'>>().notNull(),
  },
  (t) => [index('faults_client').on(t.clientId)],
)

/** Earlier attempts; the latest attempt of a delivery is part of its row. */
export const attempts = sqliteTable(
  'attempts',
  {
    deliverySeq: integer('delivery_seq')
      .notNull()
      .references(() => deliveries.seq, { onDelete: 'cascade' }),
    n: integer('n').notNull(),
    at: integer('at').notNull(),
    wallAt: integer('wall_at').notNull(),
    url: text('url').notNull(),
    outcome: text('outcome').$type<AttemptOutcome>().notNull(),
    status: integer('status'),
    ms: real('ms'),
    requestHeaders: text('request_headers', { mode: 'json' }).$type<Attempt['requestHeaders']>().notNull(),
    responseBody: text('response_body'),
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.deliverySeq, t.n] })],
)

/** The request log. No reference to clients: it also holds requests of unknown clients. */
export const requests = sqliteTable(
  'requests',
  {
    seq: integer('seq').primaryKey(),
    clientId: text('client_id'),
    operation: text('operation').$type<Operation>(),
    requestId: text('request_id'),
    status: integer('status').notNull(),
    id: text('id').notNull().unique(),
    wallAt: integer('wall_at').notNull(),
    at: integer('at').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    ms: real('ms').notNull(),
    headers: text('headers', { mode: 'json' }).$type<JournalEntry['headers']>().notNull(),
    notes: text('notes', { mode: 'json' }).$type<JournalEntry['notes']>().notNull(),
    diagnosis: text('diagnosis', { mode: 'json' }).$type<Diagnosis>(),
    body: text('body').notNull(),
    response: text('response').notNull(),
  },
  // Each append counts the entries by client; without an index that would read all of them.
  (t) => [index('requests_client').on(t.clientId)],
)
