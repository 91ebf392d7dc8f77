import type { Database } from 'better-sqlite3'
import { getTableColumns } from 'drizzle-orm'
import type { DeliveryFault, FaultsMet } from '../../domain/faults/planned-fault.ts'
import { faultsLeft, planWith } from '../../domain/faults/planned-fault.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import { fits, type Where } from '../../domain/text/where.ts'
import { type BatchForm, nextBatch, type Waiting } from '../../domain/webhook/batch-form.ts'
import type { ClaimedDelivery } from '../../domain/webhook/delivery.ts'
import { copiedSince } from '../../domain/webhook/faults/attempt-faults.ts'
import type { DeliveryClaim, DueDeliveries, Store } from '../store.ts'
import { beginAttempt } from './attempts.ts'
import {
  blockersOf,
  claimableAfter,
  claimableUntil,
  inDueOrder,
  ordersDueIn,
  type Which,
} from './claimable.ts'
import { refuseEnded } from './clients.ts'
import { type DeliveryRow, deliveryPresenter, toEvent } from './deliveries.ts'
import { countingFaults } from './faults.ts'
import { eachOf, remembered, selector } from './rows.ts'
import { deliveries } from './schema.ts'
import type { Connection } from './writer.ts'

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
  const itsBatch = select('where batch = +? order by seq')
  const selectFacts = selector(sqlite, facts)
  const dueOf = remembered((condition: string) => select(`where ${condition} ${inDueOrder}`))
  const dueFactsOf = remembered((condition: string) =>
    selectFacts(`where ${condition} and released = 0 ${inDueOrder}`),
  )
  const waitingUntil = waitingIn(sqlite, (isStrict) => claimableUntil('waiting', isStrict))
  const waitingAfter = waitingIn(sqlite, (isStrict) => claimableAfter('waiting', isStrict))
  const bySeq = select(`where seq in ${eachOf('seqs')} order by seq`)
  const heldFacts = selectFacts(
    `where client_id = +:clientId and status = 'held' and seq > +:after order by seq limit +:limit`,
  )

  /** Holds the first claimable deliveries that match a hold.
   *  @returns their ids */
  const hold = (
    { clientId, until, strict = false, batch }: DueDeliveries,
    holds: readonly Where[],
  ): string[] => {
    if (holds.length === 0) return []
    const which: Which[] = batch === undefined ? ['all'] : ['begun', 'waiting']
    const due = which.flatMap((each) =>
      dueFactsOf(claimableUntil(each, strict))({ clientId, until, limit: lookedAt }),
    )
    const fitting = due.filter((delivery) => holds.some((where) => fits(where, delivery)))
    return fitting.length === 0 ? [] : setAside(connection, 'held', fitting)
  }

  /** The next due deliveries: whole batches, and at most one new one. */
  const dueRows = (claim: DeliveryClaim): readonly DeliveryRow[] => {
    const { clientId, until, strict = false, batch, limit, now } = claim
    const which = batch === undefined ? 'all' : 'begun'
    const rows = dueOf(claimableUntil(which, strict))({ clientId, until, limit })
    if (rows.length > 0 || batch === undefined) return rows.flatMap((row) => wholeOf(row, rows))
    const next = nextBatch(waitingUntil(strict, { clientId, until, limit: lookedAt }), batch)
    if (next === null || next.at > until) return []
    const made = bySeq({ seqs: seqsOf(next.events) })
    const [first] = made
    if (first === undefined || !next.events.every(({ isJson }) => isJson)) return made
    run(putTogether, { batch: first.id, now, seqs: seqsOf(made) })
    return made.map((row) => ({ ...row, batch: first.id, batchedAt: now }))
  }

  /** The batch of a row, in the place of the first of its rows. */
  const wholeOf = (row: DeliveryRow, among: readonly DeliveryRow[]): readonly DeliveryRow[] => {
    if (row.batch === null) return [row]
    return among.find(({ batch }) => batch === row.batch) === row ? itsBatch(row.batch) : []
  }

  return {
    releaseAnswer: ({ orderId, clientId }, now, generation) =>
      write(() => {
        refuseEnded(connection, clientId, generation)
        run(answered, { orderId, now })
      }),

    nextDeliveryDue: (clientId, now, after = -1, { strict = false, batch } = {}) =>
      read(() => {
        const which = batch === undefined ? 'all' : 'begun'
        const due = value<number>(nextDueOf(which, strict), { clientId, now, after }) ?? null
        if (batch === undefined) return due
        const about = { clientId, now, after: after - batch.within, limit: lookedAt }
        const batchAt = nextBatchAt(waitingAfter(strict, about), batch, after)
        return due === null || batchAt === null ? (due ?? batchAt) : Math.min(due, batchAt)
      }),

    ordersWithDeliveriesDue: (clientId, until, among, { strict = false, batch } = {}) =>
      read(() => {
        const within = batch?.within ?? null
        return values(ordersDueIn(strict), {
          clientId,
          until,
          within,
          among: among ? JSON.stringify(among) : null,
        })
      }),

    blockersOf: (ids, now) =>
      read(
        () =>
          new Map(blockers.all({ ids: JSON.stringify(ids), now }).map(({ id, blocker }) => [id, blocker])),
      ),

    claimDeliveries: (claim) =>
      write(() => {
        const { holds, faults = [] } = claim
        const { clientId, generation, now, wallNow, url } = claim
        refuseEnded(connection, clientId, generation)
        const held = hold(claim, holds)
        // Deliveries after the held ones have not been checked yet, so the caller claims again.
        if (held.length > 0) return { claimed: [], held, late: 0, met: { counts: [], gone: [] } }
        const rows = dueRows(claim)
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
        const ids = values<string>(released, { now, seqs: seqsOf(fitting) })
        const last = part.length < releasedAtOnce ? undefined : part.at(-1)
        return { released: ids, next: last?.seq ?? null }
      }),

    resendDelivery: (id, now) =>
      write(() => {
        const rows = byId(id)
        if (rows.some(({ inFlight }) => inFlight)) throw new EmulatorError('delivery_in_flight', { id })
        const [delivery] = present(rows.map((row) => ({ ...row, status: 'pending', dueAt: now })))
        if (delivery === undefined) throw new EmulatorError('delivery_unknown', { id })
        const which = delivery.batch === undefined ? 'id = +:id' : 'batch = +:batch'
        const again = `update deliveries set status = 'pending', due_at = :now, released = 1 where ${which}`
        run(again, { now, id, batch: delivery.batch?.id })
        return delivery
      }),

    skipDeliveries: ({ clientId, generation, until, limit }) =>
      write(() => {
        refuseEnded(connection, clientId, generation)
        const rows = dueOf(claimableUntil('all', false))({ clientId, until, limit })
        setAside(connection, 'skipped', rows)
        return present(rows.map((row) => ({ ...row, status: 'skipped' })))
      }),
  } satisfies Partial<Store>
}

const answered = `
  update deliveries set due_at = :now + coalesce(plan ->> '$.delayMs', 0)
  where order_seq = (select seq from orders where order_id = +:orderId) and status = 'pending' and due_at is null`

/** The condition that deliveries are those of `:seqs`, or go out with one of them. */
const areOrGoWith = `(seq in ${eachOf('seqs')} or batch in (
  select batch from deliveries where seq in ${eachOf('seqs')} and batch is not null))`

const putTogether = `update deliveries set batch = :batch, batched_at = :now where seq in ${eachOf('seqs')}`

const nextDueOf = (which: Which, isStrict: boolean) =>
  `select min(due_at) from deliveries where ${claimableAfter(which, isStrict)}`

/** Puts released first attempts back in sequence among themselves. */
const released = `
  update deliveries
  set status = 'pending', due_at = :now, released = 1, blocking = (attempt = 0 and sequence > 0)
  where ${areOrGoWith} returning id`

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

type WaitingRow = Omit<Waiting, 'isJson'> & { readonly seq: number; readonly isJson: number }

/** Selects deliveries that wait for others to go out with. */
function waitingIn(sqlite: Database, condition: (isStrict: boolean) => string) {
  const prepared = remembered((isStrict: boolean) =>
    sqlite.prepare<unknown[], WaitingRow>(`${waitingRows} where ${condition(isStrict)} ${inDueOrder}`),
  )
  return (isStrict: boolean, about: object) =>
    prepared(isStrict)
      .all(about)
      .map(({ isJson, ...row }) => ({ ...row, isJson: isJson === 1 }))
}

const waitingRows = `
  select seq, due_at as dueAt, plan ->> '$.settings' as settings, json_valid(body) as isJson from deliveries`

/** When the next batch after a time goes out; null for none. */
function nextBatchAt(waiting: readonly Waiting[], form: BatchForm, after: EpochMs): EpochMs | null {
  const next = nextBatch(waiting, form)
  if (next === null || next.at > after) return next?.at ?? null
  return nextBatchAt(waiting.slice(next.events.length), form, after)
}

// ---- helpers that run inside the transaction of a write ------------------------------------------------

const seqsOf = (rows: readonly { readonly seq: number }[]) => JSON.stringify(rows.map(({ seq }) => seq))

/** Takes deliveries out of the sequence, with those that go out with them: later ones no longer wait for them.
 *  @returns their ids */
const setAside = (
  { values }: Connection,
  status: 'held' | 'skipped',
  rows: readonly { readonly seq: number }[],
): string[] => values(aside, { status, seqs: seqsOf(rows) })

const aside = `update deliveries set status = :status, blocking = 0 where ${areOrGoWith} returning id`

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
  return { left: withoutPostponed(connection, rows, left), met: counting.met() }
}

/** Postpones the whole batches of deliveries that a fault has postponed.
 *  @returns the deliveries that stay */
function withoutPostponed(
  { run }: Connection,
  rows: readonly DeliveryRow[],
  left: readonly DeliveryRow[],
): readonly DeliveryRow[] {
  const stay = new Set(left.map(({ seq }) => seq))
  const postponed = new Set(rows.filter(({ seq }) => !stay.has(seq)).flatMap(({ batch }) => batch ?? []))
  for (const batch of postponed) run(postponedTogether, { batch })
  return left.filter(({ batch }) => batch === null || !postponed.has(batch))
}

const postponedTogether = `
  update deliveries set due_at = (select max(due_at) from deliveries where batch = :batch) where batch = :batch`

const planned = 'update deliveries set plan = :plan, due_at = coalesce(:dueAt, due_at) where seq = :seq'

/** A delivery whose next attempt has started. If a fault sends it again, its accepted attempts are counted. */
function claimedOf({ value }: Connection, row: DeliveryRow): ClaimedDelivery {
  const claimed: ClaimedDelivery = { ...toEvent(row), status: 'pending', attempt: row.attempt + 1 }
  const since = copiedSince(row.plan)
  return since === null ? claimed : { ...claimed, accepted: value(accepted, row.seq, since) }
}

const accepted = `select count(*) from attempts where delivery_seq = ? and n >= ? and outcome = 'accepted'`
