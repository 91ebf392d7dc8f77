import { getTableColumns } from 'drizzle-orm'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Attempt, Delivery, NewDelivery } from '../../domain/webhook/delivery.ts'
import { listFields } from '../list-fields.ts'
import type { Store } from '../store.ts'
import { refuseEnded } from './clients.ts'
import { batchSize, lister } from './lists.ts'
import { eachOf, selector } from './rows.ts'
import { attempts, deliveries } from './schema.ts'
import type { Connection } from './writer.ts'
import { isTaken } from './writer.ts'

/** The verbs that create and list deliveries; `attempts.ts` has those that move them. */
export function deliveryVerbs(connection: Connection) {
  const { sqlite, value, read, write } = connection
  const present = deliveryPresenter(connection)
  const select = selector(sqlite, getTableColumns(deliveries))
  const byId = select('where id = +?')
  const ofBatches = select(`where batch in ${eachOf('batches')} order by seq`)
  const list = lister(connection, {
    letter: 'd',
    table: deliveries,
    select,
    members: listFields.deliveries,
    searched: [deliveries.requestId, deliveries.orderId, deliveries.id, deliveries.webhookId],
    leads: [
      { filter: 'orderId', condition: areOf('(+:orderId)'), leavesFew: true },
      { filter: 'requestId', condition: areOfRequest, leavesFew: true },
    ],
    part: batchSize,
    present,
  })

  return {
    addDelivery: (delivery, generation) => write(() => void addDelivery(connection, delivery, generation)),
    findDelivery: (id) => read(() => present(byId(id))[0] ?? null),
    deliveriesOfBatches: (batches) => read(() => present(ofBatches({ batches: JSON.stringify(batches) }))),
    countSimulations: (clientId, requestId) => read(() => value(simulations, requestId, clientId) ?? 0),
    listDeliveries: (query) => read(() => list(query)),
  } satisfies Partial<Store>
}

const simulations =
  'select count(*) from deliveries where sequence = 0 and request_id = +? and client_id = +?'

/** The SQL condition that deliveries belong to some orders.
 *  @param orderIds the operand of `in` */
export const areOf = (orderIds: string) => `(
  order_seq in (select seq from orders where order_id in ${orderIds})
  or (order_seq is null and order_id in ${orderIds})
)`

/** Finds a delivery of a requestId through its order, or a simulated one. An index on requestId would cost each
 *  event more than it saves. */
const areOfRequest = `(
  order_seq in (select seq from orders where request_id = +:requestId)
  or (sequence = 0 and request_id = +:requestId)
)`

// ---- helpers that run inside the transaction of a write ------------------------------------------------

/** Inserts the delivery of an event.
 *  @returns the `seq` of its row */
export function insertDelivery(
  { insert }: Connection,
  delivery: NewDelivery,
  orderSeq: number | null,
): number {
  const blocking = delivery.status === 'pending' && delivery.sequence > 0
  const { lastInsertRowid } = insert(deliveries, {
    ...delivery,
    ...batchColumns(delivery),
    ...{ orderSeq, blocking, inFlight: false, released: false, attempt: 0 },
  })
  return Number(lastInsertRowid)
}

/** Inserts a delivery that belongs to no change of an order.
 *  @returns its `seq`
 *  @throws delivery_exists, world_ended */
export function addDelivery(connection: Connection, delivery: NewDelivery, generation: number): number {
  const { id, clientId, orderId } = delivery
  refuseEnded(connection, clientId, generation)
  // The order must be of the same client: a simulation may name any orderId.
  const itsOrder = 'select seq from orders where order_id = +? and client_id = +?'
  try {
    const orderSeq = connection.value<number>(itsOrder, orderId, clientId) ?? null
    return insertDelivery(connection, delivery, orderSeq)
  } catch (error) {
    throw isTaken(error) ? new EmulatorError('delivery_exists', { id }) : error
  }
}

// ---- conversion between rows and objects --------------------------------------------------------------

/** A stored delivery with its latest attempt. */
export type DeliveryRow = typeof deliveries.$inferSelect

/** Completes stored deliveries by their earlier attempts, all read at once.
 *  @param source of the attempts: see `selector` */
export function deliveryPresenter(
  { sqlite }: Pick<Connection, 'sqlite'>,
  source?: string,
): (rows: readonly DeliveryRow[]) => Delivery[] {
  const earlierOf = selector(
    sqlite,
    getTableColumns(attempts),
    source,
  )('where delivery_seq in (select value from json_each(+?)) order by delivery_seq, n')
  return (rows) => {
    const repeated = rows.filter(({ attempt }) => attempt > 1).map(({ seq }) => seq)
    const earlier = repeated.length === 0 ? [] : earlierOf(JSON.stringify(repeated))
    const ofEach = Map.groupBy(earlier, ({ deliverySeq }) => deliverySeq)
    return rows.map((row) => toDelivery(row, ofEach.get(row.seq) ?? []))
  }
}

/** Converts a row to a delivery. */
function toDelivery(row: DeliveryRow, earlier: readonly (typeof attempts.$inferSelect)[]): Delivery {
  const { status, url } = row
  const attempts = [...earlier.map(({ deliverySeq: _, ...attempt }) => attempt), ...latestOf(row)]
  return { ...toEvent(row), status, url, attempts }
}

/** Returns the part of a delivery that never changes. */
export const toEvent = (row: DeliveryRow): Omit<NewDelivery, 'status'> => ({
  id: row.id,
  webhookId: row.webhookId,
  clientId: row.clientId,
  requestId: row.requestId,
  orderId: row.orderId,
  sequence: row.sequence,
  eventType: row.eventType,
  orderStatus: row.orderStatus,
  orderType: row.orderType,
  body: row.body,
  createdAt: row.createdAt,
  dueAt: row.dueAt,
  plan: row.plan,
  ...(row.batch !== null && row.batchedAt !== null && { batch: { id: row.batch, at: row.batchedAt } }),
})

/** The batch of a delivery in columns. */
export const batchColumns = ({ batch }: Pick<NewDelivery, 'batch'>) => ({
  batch: batch?.id,
  batchedAt: batch?.at,
})

/** Returns the latest attempt of a stored delivery, if there is one. */
function latestOf(row: DeliveryRow): [] | [Attempt] {
  const { attempt: n, attemptAt: at, attemptWallAt: wallAt, url, outcome, requestHeaders } = row
  if (at === null || wallAt === null || url === null || outcome === null || requestHeaders === null) return []
  const { answerStatus: status, attemptMs: ms, responseBody, attemptError: error } = row
  return [{ n, at, wallAt, url, outcome, status, ms, requestHeaders, responseBody, error }]
}

/** Converts a delivery's latest attempt to columns of its row, beside `attempt`. */
export const latestColumns = (latest: Attempt | undefined) => ({
  url: latest?.url,
  attemptAt: latest?.at,
  attemptWallAt: latest?.wallAt,
  outcome: latest?.outcome,
  answerStatus: latest?.status,
  attemptMs: latest?.ms,
  requestHeaders: latest?.requestHeaders,
  responseBody: latest?.responseBody,
  attemptError: latest?.error,
})
