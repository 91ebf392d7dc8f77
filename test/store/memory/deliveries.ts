import { faultsLeft, planWith } from '../../../src/domain/faults/planned-fault.ts'
import { EmulatorError } from '../../../src/domain/text/errors.ts'
import type { EpochMs } from '../../../src/domain/text/time.ts'
import { fits, type Where } from '../../../src/domain/text/where.ts'
import type { Attempt, ClaimedDelivery, Delivery, NewDelivery } from '../../../src/domain/webhook/delivery.ts'
import { copiedSince } from '../../../src/domain/webhook/faults/attempt-faults.ts'
import { listFields } from '../../../src/store/list-fields.ts'
import type { AttemptEnd, Claimed, DeliveryClaim, DueDeliveries, Store } from '../../../src/store/store.ts'
import { pageOf } from './lists.ts'
import { faultCounter } from './planned.ts'
import {
  changeClient,
  isCurrent,
  type Memory,
  nextNumber,
  own,
  type State,
  type StoredDelivery,
} from './state.ts'

/** Deliveries: made, sent, kept back, found. */
export const deliveryVerbs = ({ read, write, writeIn }: Memory) =>
  ({
    addDelivery: (delivery, generation) =>
      writeIn({ clientId: delivery.clientId, generation }, (state) => void addDelivery(state, delivery)),

    addByHand: (delivery, { copies, ...sent }, generation) =>
      writeIn({ clientId: delivery.clientId, generation }, (state) => {
        const attempts = Array.from({ length: copies }, (_, index) => unknownAttempt(index + 1, sent))
        const added = addDelivery(state, delivery)
        change(state, added, { status: 'dead', url: sent.url, attempts }, { blocking: false })
      }),

    finishByHand: (end) =>
      write((state) => {
        const found = attempted(state, end)
        if (found === undefined) return false
        const { status } = found.thing
        // A delivery that was sent again belongs to the queue.
        const isSettled = status === 'dead' && end.result.outcome === 'accepted'
        change(state, found, { status: isSettled ? 'delivered' : status, attempts: withResult(found, end) })
        return true
      }),

    releaseAnswer: ({ orderId, clientId }, now, generation) =>
      writeIn({ clientId, generation }, (state) => {
        for (const each of deliveriesOf(state, clientId))
          if (each.thing.orderId === orderId && isWaiting(each.thing))
            change(state, each, { dueAt: now + (each.thing.plan?.delayMs ?? 0) })
      }),

    releaseDeliveries: (clientId, where, now, after = 0) =>
      write((state) => {
        const held = deliveriesOf(state, clientId).filter(
          ({ thing, place }) => thing.status === 'held' && place > after,
        )
        const part = held.slice(0, releasedAtOnce)
        const fitting = part.filter(({ thing }) => fits(where, factsOf(thing)))
        for (const each of fitting) {
          const blocking = each.thing.attempts.length === 0 && each.thing.sequence > 0
          change(state, each, { status: 'pending', dueAt: now }, { released: true, blocking })
        }
        const last = held.length > part.length ? part.at(-1) : undefined
        return { released: fitting.map(({ thing }) => thing.id), next: last?.place ?? null }
      }),

    resendDelivery: (id, now) =>
      write((state) => {
        const found = state.deliveries.get(id)
        if (found === undefined) throw new EmulatorError('delivery_unknown', { id })
        if (found.inFlight) throw new EmulatorError('delivery_in_flight', { id })
        return change(state, found, { status: 'pending', dueAt: now }, { released: true })
      }),

    nextDeliveryDue: (clientId, now, after = Number.NEGATIVE_INFINITY, { strict = false } = {}) =>
      read((state) => {
        const mine = deliveriesOf(state, clientId)
        const due = mine.flatMap((each) => {
          const { dueAt } = each.thing
          if (dueAt === null || dueAt <= after) return []
          return isClaimable(each, mine, Math.max(now, dueAt), strict) ? [dueAt] : []
        })
        return due.length === 0 ? null : Math.min(...due)
      }),

    ordersWithDeliveriesDue: (clientId, until, among, { strict = false } = {}) =>
      read((state) => {
        const mine = deliveriesOf(state, clientId)
        const isStuck = (each: StoredDelivery) =>
          blockersIn(mine, each, until).some(
            ({ thing }) => thing.status === 'held' || (thing.dueAt ?? 0) > until,
          )
        const due = mine.filter(
          (each) =>
            each.thing.status === 'pending' &&
            each.thing.dueAt !== null &&
            each.thing.dueAt <= until &&
            !(strict && isStuck(each)),
        )
        const orderIds = new Set(due.map(({ thing }) => thing.orderId))
        return [...orderIds].filter((orderId) => among?.includes(orderId) ?? true)
      }),

    blockersOf: (ids, now) =>
      read((state) => {
        const found = ids.flatMap((id) => state.deliveries.get(id) ?? [])
        const waiting = found.filter(
          ({ thing, inFlight }) =>
            thing.status === 'pending' && !inFlight && (thing.dueAt ?? Infinity) <= now,
        )
        return new Map(
          waiting.flatMap((each) => {
            const [blocker] = blockersIn(deliveriesOf(state, each.thing.clientId), each, now)
            return blocker === undefined ? [] : [[each.thing.id, blocker.thing.id] as const]
          }),
        )
      }),

    claimDeliveries: (wanted) => writeIn(wanted, (state) => claim(state, wanted)),

    holdDeliveries: ({ holds, ...due }) => writeIn(due, (state) => hold(state, due, holds)),

    skipDeliveries: (due) =>
      writeIn(due, (state) =>
        claimable(state, due)
          .slice(0, due.limit)
          .map((each) => change(state, each, { status: 'skipped' }, { blocking: false })),
      ),

    finishAttempt: (end) =>
      write((state) => {
        const found = attempted(state, end)
        if (found === undefined || !found.inFlight || attemptsOf(found) !== end.attempt) return false
        const settled = { inFlight: false, blocking: false, released: false }
        change(state, found, { ...end.result.next, attempts: withResult(found, end) }, settled)
        if (end.endpoint !== undefined) changeClient(state, end.clientId, end.endpoint)
        return true
      }),

    // It has no batches.
    deliveriesOfBatches: () => read(() => []),

    findDelivery: (id) => read((state) => state.deliveries.get(id)?.thing ?? null),

    countSimulations: (clientId, requestId) =>
      read((state) => {
        const mine = deliveriesOf(state, clientId).filter(({ thing }) => thing.requestId === requestId)
        return mine.filter(({ thing }) => thing.sequence === 0).length
      }),

    listDeliveries: (query) => read((state) => pageOf(state.deliveries.values(), deliveryList, query)),
  }) satisfies Partial<Store>

/** Held ones that a release goes through at once. */
const releasedAtOnce = 500

/** @throws delivery_exists */
export function addDelivery(state: State, { verbatim: _, ...delivery }: NewDelivery): StoredDelivery {
  const { id, status, sequence } = delivery
  if (state.deliveries.has(id)) throw new EmulatorError('delivery_exists', { id })
  const added = own({
    place: nextNumber(state),
    thing: { ...delivery, url: null, attempts: [] },
    ...{ inFlight: false, released: false, blocking: status === 'pending' && sequence > 0 },
  })
  state.deliveries.set(id, added)
  return added
}

/** Changes members of a delivery, and how it stands in the queue. */
function change(
  state: State,
  before: StoredDelivery,
  members: Partial<Delivery>,
  marks: Partial<Pick<StoredDelivery, 'inFlight' | 'blocking' | 'released'>> = {},
): Delivery {
  const changed = own({ ...before, ...marks, thing: { ...before.thing, ...members } })
  state.deliveries.set(changed.thing.id, changed)
  return changed.thing
}

/** In the order of their making. */
const deliveriesOf = (state: State, clientId: string): StoredDelivery[] =>
  [...state.deliveries.values()].filter(({ thing }) => thing.clientId === clientId)

/** The delivery whose attempt ends, if it is still of that world. */
function attempted(state: State, end: AttemptEnd): StoredDelivery | undefined {
  const found = state.deliveries.get(end.deliveryId)
  return found?.thing.clientId === end.clientId && isCurrent(state, end) ? found : undefined
}

function claim(state: State, wanted: DeliveryClaim): Claimed {
  const { now: at, wallNow: wallAt, url, limit, holds, faults = [] } = wanted
  const held = hold(state, wanted, holds)
  if (held.length > 0) return { claimed: [], held, late: 0, met: { counts: [], gone: [] } }
  const count = faultCounter(state)
  const claimed: ClaimedDelivery[] = []
  let late = 0
  for (const each of claimable(state, wanted).slice(0, limit)) {
    const coming = attemptsOf(each) + 1
    const { plan } = each.thing
    const fitting = faultsLeft(plan, coming, faults).filter(({ where }) => fits(where, factsOf(each.thing)))
    const hit = count.firstOf(fitting)
    const fault = fitting.find(({ id }) => id === hit?.id)
    const changed = fault === undefined ? plan : planWith(plan, fault, coming)
    if (fault !== undefined && fault.effect.delayMs > 0) {
      change(state, each, { plan: changed, dueAt: at + fault.effect.delayMs })
      late += 1
      continue
    }
    const attempts = [...each.thing.attempts, unknownAttempt(coming, { at, wallAt, url })]
    const begun = change(state, each, { plan: changed, url, attempts }, { inFlight: true })
    const { attempts: _, url: __, ...delivery } = begun
    const since = copiedSince(changed)
    const accepted = attempts.filter(({ n, outcome }) => n >= (since ?? 0) && outcome === 'accepted').length
    claimed.push({ ...delivery, status: 'pending', attempt: coming, ...(since !== null && { accepted }) })
  }
  return { claimed, held, late, met: count.met() }
}

/** Marks what a hold fits as `held`; answers their ids. */
function hold(state: State, due: DueDeliveries, holds: readonly Where[]): string[] {
  const isKept = ({ thing, released }: StoredDelivery) =>
    !released && holds.some((where) => fits(where, factsOf(thing)))
  const fitting = claimable(state, due).filter(isKept)
  for (const each of fitting) change(state, each, { status: 'held' }, { blocking: false })
  return fitting.map(({ thing }) => thing.id)
}

/** The claimable deliveries, by due time, then by creation. */
function claimable(state: State, { clientId, until, strict = false }: DueDeliveries): StoredDelivery[] {
  const mine = deliveriesOf(state, clientId)
  const dueAtOf = ({ thing }: StoredDelivery) => thing.dueAt ?? Number.POSITIVE_INFINITY
  return mine
    .filter((each) => dueAtOf(each) <= until && isClaimable(each, mine, until, strict))
    .sort((a, b) => dueAtOf(a) - dueAtOf(b))
}

function isClaimable(
  each: StoredDelivery,
  all: readonly StoredDelivery[],
  at: EpochMs,
  strict: boolean,
): boolean {
  const { thing, inFlight } = each
  if (thing.status !== 'pending' || inFlight || thing.dueAt === null) return false
  if (strict && blockersIn(all, each, at).length > 0) return false
  return !all.some(
    (earlier) =>
      earlier.blocking &&
      earlier.thing.orderId === thing.orderId &&
      earlier.thing.sequence < thing.sequence &&
      blocksAt(earlier, at),
  )
}

/** The older deliveries of the client that one waits for in strict order, oldest first. */
const blockersIn = (all: readonly StoredDelivery[], { thing, place }: StoredDelivery, at: EpochMs) =>
  all.filter((older) => {
    if (older.place >= place) return false
    const { orderId, sequence, status, dueAt, attempts } = older.thing
    if (sequence > 0 && sequence === thing.sequence && orderId === thing.orderId) return false
    if (status === 'held') return true
    const last = attempts.at(-1)
    const isRetried = last !== undefined && last.outcome !== 'accepted'
    return status === 'pending' && ((dueAt ?? Infinity) <= at || isRetried)
  })

/** A delivery that a fault or a scenario delays blocks nothing before it is due (N46). All others block, whenever
 *  they are due: an answer may make its event due after the requested time. */
const blocksAt = ({ thing: { dueAt, plan } }: StoredDelivery, at: EpochMs): boolean =>
  (dueAt ?? 0) <= at || plan?.delayed === undefined

const attemptsOf = ({ thing }: StoredDelivery): number => thing.attempts.at(-1)?.n ?? 0

/** Ends what a process has left open: an attempt in flight, the waiting for an answer. */
export function ended({ thing, ...marks }: StoredDelivery): StoredDelivery {
  const dueAt = isWaiting(thing) ? thing.createdAt + (thing.plan?.delayMs ?? 0) : thing.dueAt
  return own({ ...marks, inFlight: false, thing: { ...thing, dueAt } })
}

const isWaiting = ({ status, dueAt }: Delivery): boolean => status === 'pending' && dueAt === null

/** An attempt of which only the beginning is known. */
const unknownAttempt = (n: number, begun: Pick<Attempt, 'at' | 'wallAt' | 'url'>): Attempt => ({
  ...begun,
  n,
  outcome: 'unknown',
  status: null,
  ms: null,
  requestHeaders: {},
  responseBody: null,
  error: null,
})

function withResult({ thing }: StoredDelivery, { attempt, result }: AttemptEnd): Attempt[] {
  const { next: _, ...told } = result
  return thing.attempts.map((each) => (each.n === attempt ? { ...each, ...told } : each))
}

/** The fields that a hold or a fault can name. */
const factsOf = ({ id, requestId, orderId, orderStatus, orderType, eventType }: Delivery) => ({
  ...{ id, requestId, orderId, orderStatus, orderType, eventType },
})

const deliveryList = {
  letter: 'd',
  members: listFields.deliveries,
  shown: (delivery: Delivery) => ({ ...delivery, outcome: delivery.attempts.at(-1)?.outcome }),
  searched: ({ requestId, orderId, id, webhookId }: Delivery) => [requestId, orderId, id, webhookId],
}
