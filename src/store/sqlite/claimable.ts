import { eachOf } from './rows.ts'

// SQL of the deliveries that can be claimed.
//
// SQLite uses a partial index only if its condition stands literally in the query, not as a parameter.

/** Which deliveries: all; or, where events go out in batches (N82), those that wait for others, or those that do not,
 *  because they were sent already. */
export type Which = 'all' | 'waiting' | 'begun'

/** Whether a delivery still waits for others to go out with. */
const isWaiting = 'attempt = 0 and batch is null'

/** Deliveries that were sent together never wait for each other. */
const isOfAnother = (other: string) => `(${other}.batch is null or ${other}.batch is not deliveries.batch)`

/** A delivery that a fault delays blocks nothing before it is due (N46). Any other first attempt blocks later ones
 *  whenever it is due: its answer may have left after the time asked for. A delivery that waits for that answer has
 *  no due time yet. One that waits for others takes the later ones of its order along.
 *  @param moment SQL of the time */
const blocks = (which: Which, moment: string) =>
  which === 'waiting'
    ? `earlier.in_flight = 1 or earlier.batch is not null or earlier.due_at is null
       or (earlier.due_at > ${moment} and earlier.plan ->> '$.delayed' is null)`
    : `(coalesce(earlier.due_at, 0) <= ${moment} or earlier.plan ->> '$.delayed' is null)
       and ${isOfAnother('earlier')}`

const ofWhich = { all: '', waiting: `and ${isWaiting}`, begun: `and not (${isWaiting})` }

const isClaimable = (which: Which, moment: string) => `
  status = 'pending' and client_id = +:clientId and in_flight = 0 and due_at is not null ${ofWhich[which]}
  and not exists (
    select 1 from deliveries as earlier
    where earlier.blocking = 1 and earlier.order_seq = deliveries.order_seq
      and earlier.sequence < deliveries.sequence
      and (${blocks(which, moment)})
  )`

/** Deliveries that may be sent at the same time. */
const areBeside = `
  older.sequence > 0 and older.sequence = deliveries.sequence and older.order_seq = deliveries.order_seq`

/** A further copy after an accepted attempt is no retry. */
const isRetried = `(older.attempt > 0 or older.batch is not null) and older.outcome is not 'accepted'`

/** An older delivery of the client that blocks in strict order: it is due, or is being retried. One that waits for
 *  others is in their way only after it was sent. */
const isOlderUnderWay = (which: Which, moment: string) => `
  older.status = 'pending' and older.client_id = deliveries.client_id and older.in_flight in (0, 1)
  and older.seq < deliveries.seq and not (${areBeside}) and ${isOfAnother('older')}
  and (${which === 'waiting' ? isRetried : `older.due_at <= ${moment} or (${isRetried})`})`

const isOlderHeld = `
  older.status = 'held' and older.client_id = deliveries.client_id
  and older.seq < deliveries.seq and not (${areBeside})`

/** No older delivery of the client blocks this one in strict order (N71). Two queries, because each has its index. */
const isOldest = (which: Which, moment: string) => `
  and not exists (select 1 from deliveries as older where ${isOlderUnderWay(which, moment)})
  and not exists (select 1 from deliveries as older where ${isOlderHeld})`

const claimable = (which: Which, isStrict: boolean, moment: string) =>
  `${isClaimable(which, moment)} ${isStrict ? isOldest(which, moment) : ''}`

/** The condition of what can be claimed at or before `:until`. */
export const claimableUntil = (which: Which, isStrict: boolean): string =>
  `${claimable(which, isStrict, '+:until')} and due_at <= +:until`

export const inDueOrder = 'order by due_at, seq limit +:limit'

/** The condition of what can be claimed at some time after `:after`, seen from `:now`. */
export const claimableAfter = (which: Which, isStrict: boolean): string =>
  `${claimable(which, isStrict, 'max(+:now, deliveries.due_at)')} and due_at > +:after`

const beyondAll = 9e18

export const blockersOf = `
  select deliveries.id as id, blocker.id as blocker from deliveries
  join deliveries as blocker on blocker.seq = min(
    coalesce((select min(older.seq) from deliveries as older where ${isOlderUnderWay('all', '+:now')}), ${beyondAll}),
    coalesce((select min(older.seq) from deliveries as older where ${isOlderHeld}), ${beyondAll}))
  where deliveries.id in ${eachOf('ids')} and deliveries.status = 'pending' and deliveries.in_flight = 0
    and deliveries.due_at <= +:now`

/** The orders with open deliveries due at or before `:until`, without those that wait for others `:within` a time.
 *  Includes both values of in_flight, so that the index over pending deliveries serves. */
const ordersDue = `
  select distinct order_id from deliveries
  where status = 'pending' and client_id = +:clientId and in_flight in (0, 1) and due_at <= +:until
    and (+:within is null or not (${isWaiting}) or due_at <= +:until - +:within)
    and (:among is null or order_id in ${eachOf('among')})`

/** In strict order, leaves out deliveries that cannot be sent before the clock moves or a hold ends. */
export const ordersDueIn = (isStrict: boolean): string =>
  isStrict
    ? `${ordersDue}
  and not exists (
    select 1 from deliveries as older where ${isOlderUnderWay('all', '+:until')} and older.due_at > +:until
  )
  and not exists (select 1 from deliveries as older where ${isOlderHeld})`
    : ordersDue
