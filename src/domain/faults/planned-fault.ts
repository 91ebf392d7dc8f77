import { hash } from 'node:crypto'
import * as z from 'zod'
import type { Client } from '../client/client.ts'
import type { CallWord } from '../journal/call-words.ts'
import type { Operation } from '../journal/entry.ts'
import type { OrderKind } from '../order/order.ts'
import type { AnswerRule } from '../scenario/scenario.ts'
import { duration } from '../text/duration-schema.ts'
import type { JsonMembers } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import type { Where } from '../text/where.ts'
import type { DeliveryPlan } from '../webhook/delivery.ts'
import { faultsAt } from '../webhook/faults/attempt-faults.ts'
import {
  type AttemptFaults,
  faultProblems,
  plannedFaultFields,
  readPlannedFaults,
} from '../webhook/faults/faults.ts'
import type { FaultStage } from './answer/answer-fault.ts'

/** The effect of a planned fault on one attempt of a delivery. */
interface DeliveryEffect {
  readonly faults: AttemptFaults
  /** The delay of the attempt. Later webhooks do not wait for it. */
  readonly delayMs: number
}

const longestDelayMs = 365 * 86_400_000

const { drop, ...otherFields } = plannedFaultFields

/** Schema of an effect on deliveries in `POST /_emulator/faults`, in the words of a scenario's webhooks. */
export const deliveryEffectText = z
  .strictObject({
    drop,
    delay: duration
      .refine((ms) => ms <= longestDelayMs, 'must be at most 365d')
      .optional()
      .meta({ description: 'Delays the attempt by this time; later webhooks do not wait for it.' }),
    ...otherFields,
  })
  .superRefine((effect, context) => {
    const report = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const fields = Object.keys(effect)
    if (fields.length === 0) context.addIssue('is empty; write `{ countAs: 500 }`, for example')
    if (effect.drop && fields.length > 1)
      report('drop', 'cannot be combined with other effects: nothing is sent')
    if (effect.apart !== undefined && effect.duplicate === undefined) report('apart', 'needs `duplicate`')
    if (effect.sign === 'old' && effect.timestamp !== undefined)
      report('timestamp', '`sign: old` already shifts the timestamp; use only one of the two')
    for (const { path, message } of faultProblems(effect))
      context.addIssue({ code: 'custom', path: [...path], message })
  })
  .transform(
    ({ delay, ...effect }): DeliveryEffect => ({ faults: readPlannedFaults(effect), delayMs: delay ?? 0 }),
  )

/** A fault of API calls or of deliveries that was planned at run time. */
export interface PlannedFault {
  readonly id: string
  /** The client of the fault; null for all clients. */
  readonly clientId: string | null
  readonly asked: AskedFault
  /** When the fault ends; null if only its count ends it. */
  readonly ends: FaultEnd | null
  readonly does: FaultAction
}

/** A fault as it is stored; its action is derived from the request. */
export type StoredFault = Omit<PlannedFault, 'does'>

/** The request for a fault with defaults filled in, as it is stored and shown. */
export interface AskedFault {
  readonly on: CallWord | readonly CallWord[] | 'delivery'
  readonly where: Where
  /** The stage of a call at which the fault applies; null for deliveries. */
  readonly when: FaultStage | null
  readonly effect: JsonMembers
  /** The number of matching calls or attempts that pass unchanged first. */
  readonly skip: number
  /** The number of calls or attempts to change; null for all until the fault ends. */
  readonly times: number | null
  /** The duration as the user wrote it; null if left out. */
  readonly for: string | null
  readonly probability: number | null
}

/** The action of a fault, either on calls or on attempts of deliveries. */
export type FaultAction = { readonly calls: AnswerRule } | { readonly attempts: DeliveryEffect }

/** The time at which a planned fault ends. */
export interface FaultEnd {
  /** The end on the clocks of the affected clients. Meaningless with `forMs`. */
  readonly at: EpochMs
  /** The end for each client that existed when the fault was planned, on the client's clock. */
  readonly of: Readonly<Record<string, EpochMs>>
  /** The end on the wall clock, for calls without a known client. */
  readonly wallAt: EpochMs
  /** The duration of a fault for all clients, because each client has its own clock. */
  readonly forMs?: number | undefined
}

/** How often a planned fault has matched and applied. */
export interface FaultCount {
  readonly id: string
  /** The number of calls or attempts that matched. */
  readonly calls: number
  /** The number of calls or attempts that the fault changed. */
  readonly hits: number
}

/** A fault that matches a call or an attempt, with the data for counting. */
export interface FittingFault {
  readonly id: string
  readonly limits: Pick<AskedFault, 'skip' | 'times' | 'probability'>
  /** When the fault ends, on the same clock as `at`. */
  readonly endsAt: EpochMs | null
  readonly at: EpochMs
}

/** A planned fault that applies to a due delivery. */
export interface DeliveryFault extends FittingFault {
  readonly where: Where
  readonly effect: DeliveryEffect
}

/** The results of counting planned faults. */
export interface FaultsMet {
  /** The counts of the faults that were counted. */
  readonly counts: readonly FaultCount[]
  /** The ids of counted faults that no longer exist. */
  readonly gone: readonly string[]
}

/** Decides whether a matching fault is over, lets a call or an attempt pass and counts it, or applies to it. */
export function faultVerdict(
  { id, limits, endsAt, at }: FittingFault,
  { calls, hits }: Pick<FaultCount, 'calls' | 'hits'>,
): 'over' | 'passes' | 'hits' {
  const { skip, times, probability } = limits
  if (isUsedUp({ times }, hits) || (endsAt !== null && at >= endsAt)) return 'over'
  if (calls < skip) return 'passes'
  return probability === null || lot(id, calls + 1) < probability ? 'hits' : 'passes'
}

export const isUsedUp = ({ times }: Pick<AskedFault, 'times'>, hits: number): boolean =>
  times !== null && hits >= times

/** The time at which a fault ends for a client, on the client's clock; without a client, on the wall clock. For a
 *  client created while the fault lasts, the fault starts with the client's creation; for a later one it is over.
 *  @param client null for an unknown client */
export function endFor(
  ends: FaultEnd | null,
  client: Pick<Client, 'clientId' | 'began'> | null,
): EpochMs | null {
  if (ends === null) return null
  const { at, of, wallAt, forMs } = ends
  if (client === null) return wallAt
  if (forMs === undefined) return at
  const { clientId, began } = client
  // `of` may hold an earlier client of this name, so the time of creation decides.
  if (began.wallAt < wallAt - forMs) return of[clientId] ?? began.at + forMs
  return began.wallAt < wallAt ? began.at + forMs : began.at
}

/** The id of a fault, derived from the request, so that runs with the same seed make the same random choices.
 *  @param place the number of faults planned before, for the client or for all clients */
export function faultId(
  { clientId, asked, ends }: Omit<PlannedFault, 'id' | 'does'>,
  seed: string,
  place: number,
): string {
  const said = JSON.stringify([seed, clientId, asked, asked.for === null ? (ends?.at ?? null) : null, place])
  return `flt_${hash('sha256', said).slice(0, 20)}`
}

/** A pseudo-random number from 0 up to 1, derived from the call's number and the fault's id, which includes the
 *  seed. */
const lot = (id: string, call: number): number =>
  Number.parseInt(hash('sha256', JSON.stringify([id, call])).slice(0, 12), 16) / 2 ** 48

/** A call that planned faults and scenario rules may match. */
export interface FaultyCall {
  readonly operation: Operation
  readonly when: FaultStage
  /** The client of the call; null if unknown. */
  readonly clientId: string | null
  /** The requestId of the call; null if it has none. */
  readonly requestId: string | null
  /** The kind of order that a create call creates. */
  readonly kind?: OrderKind | undefined
}

/** The planned faults that may still apply to an attempt. Each attempt meets at most one. A copy that a fault made is
 *  never duplicated again, because copies would never end.
 *  @param attempt the number of the coming attempt */
export function faultsLeft(
  plan: DeliveryPlan | null,
  attempt: number,
  faults: readonly DeliveryFault[],
): readonly DeliveryFault[] {
  const met = (plan?.faults ?? []).filter(({ fault }) => fault !== undefined)
  if (met.some((one) => one.attempt === attempt) || faultsAt(plan, attempt).drop) return []
  if (!met.some(({ duplicate }) => duplicate !== undefined)) return faults
  return faults.filter(({ effect }) => effect.faults.duplicate === undefined)
}

/** Adds a planned fault to the plan of a delivery. For the coming attempt, the fault overrides the scenario. A
 *  dropped delivery stays dropped, because a crash repeats its attempt. */
export function planWith(
  plan: DeliveryPlan | null,
  { id, effect }: Pick<DeliveryFault, 'id' | 'effect'>,
  attempt: number,
): DeliveryPlan {
  const which = effect.faults.drop ? {} : { attempt }
  const faults = [...(plan?.faults ?? []), { fault: id, ...which, ...effect.faults }]
  return { ...plan, faults, ...(effect.delayMs > 0 && ({ delayed: true } as const)) }
}
