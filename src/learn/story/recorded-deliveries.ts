import { tolerableMs } from '../../domain/keep/attempt-chains.ts'
import { orderEventType } from '../../domain/order/statuses.ts'
import { formatDuration } from '../../domain/text/duration.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { Attempt, Delivery } from '../../domain/webhook/delivery.ts'
import type { PlannedFaults } from '../../domain/webhook/faults/faults.ts'
import { parsedJson } from '../evidence/parsed-json.ts'
import type { Masker } from '../mask.ts'
import type { StatusChange } from './seen-changes.ts'
import type { Message, Sending, SentAttempt } from './sendings.ts'

/** The order that webhooks are about. */
export interface About {
  readonly clientId: string
  readonly requestId: string
  readonly orderId: string
  /** The type of its webhooks. */
  readonly orderType: string
  /** Whether webhooks come for both legs, with a type each. */
  readonly hasBothLegs: boolean
  readonly createdAt: EpochMs
  readonly statuses: readonly StatusChange[]
  readonly masker: Masker
}

/** Turns the webhooks about an order into deliveries as the emulator would have recorded them. The first webhook of a
 *  status change belongs to the change; others count as sent by hand. */
export function deliveriesOf(messages: readonly Message[], about: About): Delivery[] {
  const taken = new Set<string>()
  let sequence = 0
  return messages.flatMap((message, index): Delivery[] => {
    const { event, isForged, sendings } = message
    const status = event?.orderStatus
    if (status === undefined) return manual(message, index, about)
    const type = about.hasBothLegs ? (event?.orderType ?? about.orderType) : about.orderType
    const change =
      status === 'CREATED'
        ? { at: about.createdAt }
        : about.statuses.find((each) => each.status === status || event?.refundId !== undefined)
    const kind = `${status} ${type} ${event?.refundId ?? ''}`
    const [{ attempts }] = sendings
    const isItsWebhook = change !== undefined && !isForged && attempts[0].at >= change.at - 2_000
    if (!isItsWebhook || taken.has(kind)) return manual(message, index, about)
    taken.add(kind)
    sequence += 1
    const createdAt = event?.refundId === undefined ? change.at : attempts[0].at
    return [{ ...changeDelivery(message, createdAt, about), orderType: type, orderStatus: status, sequence }]
  })
}

/** A delivery that the change of a status causes, with its copies and what was sent again later. */
function changeDelivery({ sendings, ...message }: Message, createdAt: EpochMs, about: About): Delivery {
  const base = deliveryOf({ ...message, sendings }, about)
  const [first, ...others] = sendings
  const copies = copiesIn(sendings)
  if (copies !== null) {
    const attempts = sendings.map(({ attempts: [one] }, index) => attemptOf(one, index + 1, 'accepted'))
    return { ...base, createdAt, attempts, plan: { faults: [copies] } }
  }
  const attempts: Attempt[] = []
  const faults: PlannedFaults[] = []
  for (const sending of [first, ...others]) {
    const written = writtenAttempts(sending, attempts.length)
    attempts.push(...written.attempts)
    faults.push(...written.faults)
  }
  const status = first.endsEarly ? 'dead' : 'delivered'
  return { ...base, createdAt, status, attempts, plan: faults.length === 0 ? null : { faults } }
}

/** The copies of a webhook, if all were sent with the same gap. */
function copiesIn(sendings: readonly [Sending, ...Sending[]]): PlannedFaults | null {
  const [first, second] = sendings
  const isPlain = ({ attempts, countedAsFailed, endsEarly }: Sending) =>
    countedAsFailed === 0 && !endsEarly && attempts.every(({ faults }) => isNone(faults))
  if (second === undefined || !sendings.every(isPlain)) return null
  const apartMs = second.attempts[0].at - first.attempts[0].at
  const gaps = sendings
    .slice(1)
    .map(({ attempts: [one] }, index) => one.at - (sendings[index]?.attempts[0].at ?? 0))
  if (apartMs > 60_000 || gaps.some((gap) => Math.abs(gap - apartMs) > tolerableMs)) return null
  const isAtOnce = apartMs <= tolerableMs
  return { fault: seen, duplicate: sendings.length - 1, ...(!isAtOnce && { apartMs: nearly(apartMs) }) }
}

const nearly = (ms: number): number => Math.round(ms / 100) * 100

/** Marks faults of single attempts, as a planned fault does. */
const seen = 'seen'

const isNone = (faults: PlannedFaults): boolean => Object.keys(faults).length === 0

/** The attempts of a sending that a file has to mention. Repetitions that follow from the answers of the application
 *  are left out: the application answers the same when the file is played. */
function writtenAttempts(
  { attempts, countedAsFailed, endsEarly }: Sending,
  before: number,
): { attempts: Attempt[]; faults: PlannedFaults[] } {
  const n = (index: number) => before + index + 1
  if (endsEarly)
    return {
      attempts: attempts.map((attempt, index) => attemptOf(attempt, n(index), 'failed')),
      faults: attempts.flatMap(({ faults }, index) =>
        isNone(faults) ? [] : [{ ...faults, fault: seen, attempt: n(index) }],
      ),
    }
  const lastFaulty = attempts.findLastIndex(({ faults }) => !isNone(faults))
  const mentioned = attempts.slice(0, Math.max(countedAsFailed, lastFaulty, 0) + 1)
  const last = mentioned.length - 1
  return {
    attempts: mentioned.map((attempt, index) =>
      attemptOf(attempt, n(index), index === last ? 'accepted' : 'counted'),
    ),
    faults: mentioned.flatMap(({ faults, exchange, isAccepted }, index): PlannedFaults[] => {
      const countAs = index === last ? undefined : isAccepted ? 500 : (exchange.status ?? 504)
      const all = { ...faults, ...(countAs !== undefined && { countAs }) }
      return isNone(all) ? [] : [{ ...all, fault: seen, attempt: n(index) }]
    }),
  }
}

/** A webhook that no change explains, once for each time that it was sent. */
function manual(message: Message, index: number, about: About): Delivery[] {
  const base = deliveryOf(message, about)
  return message.sendings.map((sending, copy) => {
    const [first] = sending.attempts
    const isSameAlways = sending.attempts.every(
      ({ faults }) => JSON.stringify(faults) === JSON.stringify(first.faults),
    )
    const written = writtenAttempts(
      isSameAlways
        ? {
            ...sending,
            attempts: [{ ...first, faults: {} }, ...sending.attempts.slice(1).map(withoutFaults)],
          }
        : sending,
      0,
    )
    const always = isSameAlways && !isNone(first.faults) ? [first.faults] : []
    const faults = [...always, ...written.faults]
    return {
      ...base,
      id: `${base.id}-${index}-${copy}`,
      createdAt: first.at,
      dueAt: first.at,
      status: sending.endsEarly ? 'dead' : 'delivered',
      attempts: written.attempts,
      plan: faults.length === 0 ? null : { faults },
    }
  })
}

const withoutFaults = (attempt: SentAttempt): SentAttempt => ({ ...attempt, faults: {} })

function deliveryOf({ event, body, sendings }: Message, about: About): Delivery {
  const { clientId, requestId, orderId, orderType, masker } = about
  const [{ attempts }] = sendings
  const json = parsedJson(body)
  return {
    id: `seen-${attempts[0].at}`,
    webhookId: event?.webhookId ?? '',
    ...{ clientId, requestId, orderId, orderType },
    sequence: 0,
    eventType: orderEventType,
    orderStatus: event?.orderStatus ?? '',
    body: json === undefined ? masker.mask(body) : JSON.stringify(masker.maskJson(json)),
    createdAt: attempts[0].at,
    dueAt: attempts[0].at,
    status: 'delivered',
    plan: null,
    url: null,
    attempts: [],
  }
}

/** @param end `failed`: as it was; `counted`: failed, by a fault; `accepted`: as if it was, because what followed
 *    follows again */
function attemptOf(
  { exchange, at }: SentAttempt,
  n: number,
  end: 'failed' | 'counted' | 'accepted',
): Attempt {
  const { status, isAnswered } = exchange
  const failed = status !== null ? 'refused' : isAnswered ? 'timeout' : 'refused'
  return {
    n,
    at,
    wallAt: at,
    url: '',
    outcome: end === 'accepted' ? 'accepted' : end === 'failed' ? failed : 'refused',
    status:
      end === 'accepted' ? 200 : end === 'failed' ? status : status !== null && status >= 300 ? status : 500,
    ms: 0,
    requestHeaders: {},
    responseBody: null,
    error: null,
  }
}

/** Words for the time since the creation of an order. */
export const afterCreation = (at: EpochMs, createdAt: EpochMs): string =>
  `${formatDuration(Math.max(0, Math.round(at - createdAt)))} after the creation`

/** A webhook as the emulator would send it. */
export function usualDelivery(
  about: About,
  { at, status, n }: { at: EpochMs; status: string; n: number },
): Delivery {
  const { clientId, requestId, orderId, orderType } = about
  return {
    ...{ clientId, requestId, orderId, orderType, orderStatus: status },
    ...{ id: `seen-${n}`, webhookId: '', sequence: n + 1, eventType: orderEventType },
    ...{ body: '', createdAt: at, dueAt: null, status: 'pending', plan: null, url: null, attempts: [] },
  }
}
