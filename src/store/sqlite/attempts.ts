import { getTableColumns } from 'drizzle-orm'
import type { DeliveryFault, FaultsMet } from '../../domain/faults/planned-fault.ts'
import { faultsLeft, planWith } from '../../domain/faults/planned-fault.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import { fits, type Where } from '../../domain/text/where.ts'
import type { AttemptResult, ClaimedDelivery } from '../../domain/webhook/delivery.ts'
import { copiedSince } from '../../domain/webhook/faults/attempt-faults.ts'
import type { DueDeliveries, Store } from '../store.ts'
import { isCurrent, refuseEnded } from './clients.ts'
import { addDelivery, type DeliveryRow, deliveryPresenter, toEvent } from './deliveries.ts'
import { countingFaults } from './faults.ts'
import { eachOf, selector } from './rows.ts'
import { deliveries } from './schema.ts'
import type { Connection } from './writer.ts'

// The latest attempt of a delivery is part of its row, which is written anyway when an attempt starts and ends; most
// deliveries have one attempt. When another attempt follows, the earlier one moves into a row of its own.

/** The verbs that end attempts, and those for deliveries sent by hand. */
export function attemptVerbs(connection: Connection) {
  const { run, value, write } = connection
  return {
    addByHand: (delivery, { copies, ...sent }, generation) =>
      write(() => {
        const seq = addDelivery(connection, delivery, generation)
        // Never pending, so that the queue does not send it.
        run(`update deliveries set status = 'dead' where seq = ?`, seq)
        for (let n = 1; n <= copies; n++) beginAttempt(connection, seq, { ...sent, inFlight: 0 })
      }),

    finishByHand: ({ deliveryId, clientId, generation, attempt, result }) =>
      write(() => {
        if (!isCurrent(connection, clientId, generation)) return false
        const find = 'select seq from deliveries where id = +? and client_id = +?'
        const seq = value<number>(find, deliveryId, clientId)
        if (seq === undefined) return false
        // A delivery that was sent again belongs to the queue, which knows its status best.
        if (result.outcome === 'accepted')
          run(`update deliveries set status = 'delivered' where seq = ? and status = 'dead'`, seq)
        const ended = { ...endOf(result), seq, n: attempt }
        if (run(latestEnded, ended) === 0) run(earlierEnded, ended)
        return true
      }),

    finishAttempt: ({ deliveryId: id, clientId, generation, attempt: n, result, endpoint }) =>
      write(() => {
        if (!isCurrent(connection, clientId, generation)) return false
        const { next } = result
        const dueAt = next.status === 'pending' ? next.dueAt : null
        if (run(settled, { ...endOf(result), next: next.status, dueAt, id, clientId, n }) === 0) return false
        if (endpoint !== undefined)
          run(endpointChanged, { ...endpoint, webhookPaused: Number(endpoint.webhookPaused), clientId })
        return true
      }),
  } satisfies Partial<Store>
}

const endpointChanged = `
  update clients set webhook_paused = :webhookPaused, paused_after = :pausedAfter, failed_in_a_row = :failedInARow
  where client_id = +:clientId`

const ended = `
  outcome = :outcome, answer_status = :status, attempt_ms = :ms, request_headers = :requestHeaders,
  response_body = :responseBody, attempt_error = :error`

const latestEnded = `update deliveries set ${ended} where seq = :seq and attempt = :n`

const earlierEnded = `
  update attempts set outcome = :outcome, status = :status, ms = :ms, request_headers = :requestHeaders,
    response_body = :responseBody, error = :error
  where delivery_seq = :seq and n = :n`

const settled = `
  update deliveries set in_flight = 0, blocking = 0, released = 0, status = :next,
    due_at = coalesce(:dueAt, due_at), ${ended}
  where id = +:id and client_id = +:clientId and in_flight = 1 and attempt = +:n`

const endOf = ({ next: _, ...result }: AttemptResult) => ({
  ...result,
  requestHeaders: JSON.stringify(result.requestHeaders),
})

/** The data of an attempt that are stored before it is sent. */
interface Begun {
  /** 0 for a delivery sent by hand, which may have several attempts at once. */
  readonly inFlight: 0 | 1
  readonly url: string
  readonly at: EpochMs
  readonly wallAt: EpochMs
}

/** Starts a delivery's next attempt, as part of a write. It is `unknown` until its end, and stays so if the process
 *  dies. */
function beginAttempt({ run }: Connection, seq: number, begun: Begun): void {
  run(latestMoved, seq)
  run(latestBegun, { ...begun, seq })
}

const latestMoved = `
  insert into attempts
    (delivery_seq, n, at, wall_at, url, outcome, status, ms, request_headers, response_body, error)
  select seq, attempt, attempt_at, attempt_wall_at, url, outcome, answer_status, attempt_ms, request_headers,
    response_body, attempt_error
  from deliveries where seq = ? and outcome is not null`

const latestBegun = `
  update deliveries set in_flight = :inFlight, attempt = attempt + 1, url = :url, attempt_at = :at,
    attempt_wall_at = :wallAt, outcome = 'unknown', answer_status = null, attempt_ms = null,
    request_headers = '{}', response_body = null, attempt_error = null
  where seq = :seq`

/** The number of deliveries checked for holds at once. A claim takes fewer, so everything that it takes has been
 *  checked. */
const lookedAt = 500

/** The number of held deliveries that a release handles in one transaction; requests are served in between. */
const releasedAtOnce = 2_000

/** The verbs for deliveries before an attempt: make due, hold, release, skip, claim. */
export function claimVerbs(connection: Connection) {
  const { sqlite, run, value, values, read, write } = connection
  const blockers = sqlite.prepare<unknown[], { id: string; blocker: string }>(blockersOf)
  const present = deliveryPresenter(connection)
  const select = selector(sqlite, getTableColumns(deliveries))
  const byId = select('where id = +?')
  const due = select(`where ${isClaimableUntil} ${inDueOrder}`)
  const dueStrictly = select(`where ${isClaimableUntil} ${isOldest('+:until')} ${inDueOrder}`)
  const selectFacts = selector(sqlite, facts)
  const dueFacts = selectFacts(`where ${isClaimableUntil} and released = 0 ${inDueOrder}`)
  const dueFactsStrictly = selectFacts(
    `where ${isClaimableUntil} and released = 0 ${isOldest('+:until')} ${inDueOrder}`,
  )
  const heldFacts = selectFacts(
    `where client_id = +:clientId and status = 'held' and seq > +:after order by seq limit +:limit`,
  )

  /** Holds the first claimable deliveries that match a hold.
   *  @returns their ids */
  const hold = ({ clientId, until, strict }: DueDeliveries, holds: readonly Where[]): string[] => {
    if (holds.length === 0) return []
    const facts = strict ? dueFactsStrictly : dueFacts
    const fitting = facts({ clientId, until, limit: lookedAt }).filter((delivery) =>
      holds.some((where) => fits(where, delivery)),
    )
    if (fitting.length > 0) setAside(connection, 'held', fitting)
    return fitting.map(({ id }) => id)
  }

  return {
    releaseAnswer: ({ orderId, clientId }, now, generation) =>
      write(() => {
        refuseEnded(connection, clientId, generation)
        run(answered, { orderId, now })
      }),

    nextDeliveryDue: (clientId, now, after = -1, strict = false) =>
      read(() => value(strict ? nextDueStrictly : nextDue, { clientId, now, after }) ?? null),

    ordersWithDeliveriesDue: (clientId, until, among, strict = false) =>
      read(() => {
        const which = { clientId, until, among: among ? JSON.stringify(among) : null }
        return values(strict ? ordersDueStrictly : ordersDue, which)
      }),

    blockersOf: (ids, now) =>
      read(
        () =>
          new Map(blockers.all({ ids: JSON.stringify(ids), now }).map(({ id, blocker }) => [id, blocker])),
      ),

    claimDeliveries: ({ limit, holds, faults = [], ...claim }) =>
      write(() => {
        const { clientId, generation, until, now, wallNow, url, strict } = claim
        refuseEnded(connection, clientId, generation)
        const held = hold(claim, holds)
        // Deliveries after the held ones have not been checked yet, so the caller claims again.
        if (held.length > 0) return { claimed: [], held, late: 0, met: { counts: [], gone: [] } }
        const rows = (strict ? dueStrictly : due)({ clientId, until, limit })
        const { left, met } = meetFaults(connection, rows, faults, now)
        const claimed = left.map((row) => {
          beginAttempt(connection, row.seq, { url, at: now, wallAt: wallNow, inFlight: 1 })
          return claimedOf(connection, row)
        })
        return { claimed, held, late: rows.length - left.length, met }
      }),

    holdDeliveries: ({ holds, ...due }) =>
      write(() => {
        refuseEnded(connection, due.clientId, due.generation)
        return hold(due, holds)
      }),

    releaseDeliveries: (clientId, where, now, after = 0) =>
      write(() => {
        const part = heldFacts({ clientId, after, limit: releasedAtOnce })
        const fitting = part.filter((delivery) => fits(where, delivery))
        run(released, { now, seqs: seqsOf(fitting) })
        const last = part.length < releasedAtOnce ? undefined : part.at(-1)
        return { released: fitting.map(({ id }) => id), next: last?.seq ?? null }
      }),

    resendDelivery: (id, now) =>
      write(() => {
        const rows = byId(id)
        if (rows.some(({ inFlight }) => inFlight)) throw new EmulatorError('delivery_in_flight', { id })
        const [delivery] = present(rows.map((row) => ({ ...row, status: 'pending', dueAt: now })))
        if (delivery === undefined) throw new EmulatorError('delivery_unknown', { id })
        run(`update deliveries set status = 'pending', due_at = ?, released = 1 where id = +?`, now, id)
        return delivery
      }),

    skipDeliveries: ({ clientId, generation, until, limit }) =>
      write(() => {
        refuseEnded(connection, clientId, generation)
        const rows = due({ clientId, until, limit })
        setAside(connection, 'skipped', rows)
        return present(rows.map((row) => ({ ...row, status: 'skipped' })))
      }),
  } satisfies Partial<Store>
}

const answered = `
  update deliveries set due_at = :now + coalesce(plan ->> '$.delayMs', 0)
  where order_seq = (select seq from orders where order_id = +:orderId) and status = 'pending' and due_at is null`

/** Puts released first attempts back in sequence among themselves. */
const released = `
  update deliveries
  set status = 'pending', due_at = :now, released = 1, blocking = (attempt = 0 and sequence > 0)
  where seq in ${eachOf('seqs')}`

// ---- what is claimable ------------------------------------------------------------------------------
//
// SQLite uses a partial index only if its condition stands literally in the query, not as a parameter.

/** A delivery that a fault delays blocks nothing before it is due (N46). Any other first attempt blocks later ones
 *  whenever it is due: its answer may have left after the time asked for. A delivery that waits for that answer has
 *  no due time yet.
 *  @param moment SQL of the time */
const isClaimable = (moment: string) => `
  status = 'pending' and client_id = +:clientId and in_flight = 0 and due_at is not null
  and not exists (
    select 1 from deliveries as earlier
    where earlier.blocking = 1 and earlier.order_seq = deliveries.order_seq
      and earlier.sequence < deliveries.sequence
      and (coalesce(earlier.due_at, 0) <= ${moment} or earlier.plan ->> '$.delayed' is null)
  )`

const isClaimableUntil = `${isClaimable('+:until')} and due_at <= +:until`

const inDueOrder = 'order by due_at, seq limit +:limit'

const nextDue = `
  select min(due_at) from deliveries where ${isClaimable('max(+:now, deliveries.due_at)')} and due_at > +:after`

/** Deliveries that may be sent at the same time. */
const areBeside = `
  older.sequence > 0 and older.sequence = deliveries.sequence and older.order_seq = deliveries.order_seq`

/** An older delivery of the client that blocks in strict order: it is due, or is being retried. A further copy after an
 *  accepted attempt is no retry. */
const isOlderUnderWay = (moment: string) => `
  older.status = 'pending' and older.client_id = deliveries.client_id and older.in_flight in (0, 1)
  and older.seq < deliveries.seq and not (${areBeside})
  and (older.due_at <= ${moment} or (older.attempt > 0 and older.outcome is not 'accepted'))`

const isOlderHeld = `
  older.status = 'held' and older.client_id = deliveries.client_id
  and older.seq < deliveries.seq and not (${areBeside})`

/** No older delivery of the client blocks this one in strict order (N71). Two queries, because each has its index. */
const isOldest = (moment: string) => `
  and not exists (select 1 from deliveries as older where ${isOlderUnderWay(moment)})
  and not exists (select 1 from deliveries as older where ${isOlderHeld})`

const nextDueStrictly = `${nextDue} ${isOldest('max(+:now, deliveries.due_at)')}`

const beyondAll = 9e18

const blockersOf = `
  select deliveries.id as id, blocker.id as blocker from deliveries
  join deliveries as blocker on blocker.seq = min(
    coalesce((select min(older.seq) from deliveries as older where ${isOlderUnderWay('+:now')}), ${beyondAll}),
    coalesce((select min(older.seq) from deliveries as older where ${isOlderHeld}), ${beyondAll}))
  where deliveries.id in ${eachOf('ids')} and deliveries.status = 'pending' and deliveries.in_flight = 0
    and deliveries.due_at <= +:now`

/** Includes both values of in_flight, so that the index over pending deliveries serves. */
const ordersDue = `
  select distinct order_id from deliveries
  where status = 'pending' and client_id = +:clientId and in_flight in (0, 1) and due_at <= +:until
    and (:among is null or order_id in ${eachOf('among')})`

/** Leaves out deliveries that cannot be sent before the clock moves or a hold ends. */
const ordersDueStrictly = `${ordersDue}
  and not exists (
    select 1 from deliveries as older where ${isOlderUnderWay('+:until')} and older.due_at > +:until
  )
  and not exists (select 1 from deliveries as older where ${isOlderHeld})`

/** The fields of a delivery that a hold or a fault can match. */
const facts = {
  seq: deliveries.seq,
  id: deliveries.id,
  requestId: deliveries.requestId,
  orderId: deliveries.orderId,
  orderStatus: deliveries.orderStatus,
  orderType: deliveries.orderType,
  eventType: deliveries.eventType,
}

// ---- helpers that run inside the transaction of a write ------------------------------------------------

const seqsOf = (rows: readonly { readonly seq: number }[]) => JSON.stringify(rows.map(({ seq }) => seq))

/** Takes deliveries out of the sequence: later ones no longer wait for them. */
function setAside(
  { run }: Connection,
  status: 'held' | 'skipped',
  rows: readonly { readonly seq: number }[],
): void {
  run(aside, { status, seqs: seqsOf(rows) })
}

const aside = `update deliveries set status = :status, blocking = 0 where seq in ${eachOf('seqs')}`

/** Applies matching planned faults to due deliveries.
 *  @returns the deliveries left to claim; a fault may delay some */
function meetFaults(
  connection: Connection,
  rows: readonly DeliveryRow[],
  faults: readonly DeliveryFault[],
  now: EpochMs,
): { left: readonly DeliveryRow[]; met: FaultsMet } {
  const counting = countingFaults(connection)
  if (faults.length === 0) return { left: rows, met: counting.met() }
  const left = rows.flatMap((row) => {
    const attempt = row.attempt + 1
    const { id, requestId, orderId, orderStatus, orderType, eventType } = row
    const known = { id, requestId, orderId, orderStatus, orderType, eventType }
    const fitting = faultsLeft(row.plan, attempt, faults).filter(({ where }) => fits(where, known))
    const hit = counting.firstOf(fitting)
    const fault = fitting.find(({ id }) => id === hit?.id)
    if (fault === undefined) return [row]
    const plan = planWith(row.plan, fault, attempt)
    const dueAt = fault.effect.delayMs > 0 ? now + fault.effect.delayMs : null
    connection.run(planned, { plan: JSON.stringify(plan), dueAt, seq: row.seq })
    return dueAt === null ? [{ ...row, plan }] : []
  })
  return { left, met: counting.met() }
}

const planned = 'update deliveries set plan = :plan, due_at = coalesce(:dueAt, due_at) where seq = :seq'

/** A delivery whose next attempt has started. If a fault sends it again, its accepted attempts are counted. */
function claimedOf({ value }: Connection, row: DeliveryRow): ClaimedDelivery {
  const claimed: ClaimedDelivery = { ...toEvent(row), status: 'pending', attempt: row.attempt + 1 }
  const since = copiedSince(row.plan)
  return since === null ? claimed : { ...claimed, accepted: value(accepted, row.seq, since) }
}

const accepted = `select count(*) from attempts where delivery_seq = ? and n >= ? and outcome = 'accepted'`
