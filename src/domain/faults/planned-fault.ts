import { hash } from 'node:crypto'
import * as z from 'zod'
import type { Client } from '../client/client.ts'
import type { Operation } from '../journal/entry.ts'
import type { OrderKind } from '../order/order.ts'
import type { AnswerRule, CallWord, FaultStage } from '../scenario/scenario.ts'
import { duration } from '../text/duration.ts'
import type { JsonMembers } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import type { Where } from '../text/where.ts'
import type { DeliveryPlan } from '../webhook/delivery.ts'
import { faultsAt } from '../webhook/faults/attempt-faults.ts'
import { type AttemptFaults, plannedFaultFields, readPlannedFaults } from '../webhook/faults/faults.ts'

/** The effect of a planned fault on one attempt of a delivery. */
interface DeliveryEffect {
  readonly faults: AttemptFaults
  /** Delays the attempt; later webhooks do not wait for it. */
  readonly delayMs: number
}

const longestDelayMs = 365 * 86_400_000

const { drop, ...otherFields } = plannedFaultFields

/** The effect as `POST /_emulator/faults` takes it, in the words of a scenario's webhooks. */
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
  })
  .transform(
    ({ delay, ...effect }): DeliveryEffect => ({ faults: readPlannedFaults(effect), delayMs: delay ?? 0 }),
  )

/** A misbehaviour of the API or of deliveries that was planned while the emulator runs. */
export interface PlannedFault {
  readonly id: string
  /** null: of all clients. */
  readonly clientId: string | null
  readonly asked: AskedFault
  /** null: it ends only when it is used up. */
  readonly ends: FaultEnd | null
  readonly does: FaultAction
}

/** A planned fault as it is kept: what it does follows from what was asked for. */
export type StoredFault = Omit<PlannedFault, 'does'>

/** What was asked for, with all said that was left out. So it is stored, and shown. */
export interface AskedFault {
  readonly on: CallWord | readonly CallWord[] | 'delivery'
  readonly where: Where
  /** null for deliveries. */
  readonly when: FaultStage | null
  readonly effect: JsonMembers
  /** So many that it fits are let pass first. */
  readonly skip: number
  /** How many it is done to; null for all until it ends. */
  readonly times: number | null
  /** As it was written; null if it was not. */
  readonly for: string | null
  readonly probability: number | null
}

/** What is done: to calls, or to attempts of deliveries. */
export type FaultAction = { readonly calls: AnswerRule } | { readonly attempts: DeliveryEffect }

/** The moment from which on a fault is over. */
export interface FaultEnd {
  /** On the clocks of its clients. Without meaning where there is `forMs`. */
  readonly at: EpochMs
  /** By client, with `forMs`: on the clocks of those that were there when it was planned. */
  readonly of: Readonly<Record<string, EpochMs>>
  /** On the wall: for calls of which nobody knows whose they are. */
  readonly wallAt: EpochMs
  /** Only of all clients, with `for`: how long it holds, because each has a clock of its own. */
  readonly forMs?: number | undefined
}

/** How often a fault has been met. */
export interface FaultCount {
  readonly id: string
  /** Calls or attempts that it fitted. */
  readonly calls: number
  /** Those of them that it was done to. */
  readonly hits: number
}

/** A fault that fits a call or an attempt, as far as counting goes. */
export interface FittingFault {
  readonly id: string
  readonly limits: Pick<AskedFault, 'skip' | 'times' | 'probability'>
  /** On the clock that `at` is read from. */
  readonly endsAt: EpochMs | null
  readonly at: EpochMs
}

/** The same for a delivery whose attempt is due. */
export interface DeliveryFault extends FittingFault {
  readonly where: Where
  readonly effect: DeliveryEffect
}

/** What counting came to. */
export interface FaultsMet {
  /** As the counts are now, of those that were looked at. */
  readonly counts: readonly FaultCount[]
  /** Those that are no longer there. */
  readonly gone: readonly string[]
}

/** What becomes of a call or an attempt that a fault fits: the fault is over and counts no more; it counts and lets
 *  pass; or it is done. */
export function faultVerdict(
  { id, limits, endsAt, at }: FittingFault,
  { calls, hits }: Pick<FaultCount, 'calls' | 'hits'>,
): 'over' | 'passes' | 'hits' {
  const { skip, times, probability } = limits
  if (isUsedUp({ times }, hits) || (endsAt !== null && at >= endsAt)) return 'over'
  if (calls < skip) return 'passes'
  return probability === null || lot(id, calls + 1) < probability ? 'hits' : 'passes'
}

/** Whether it has been done as often as was asked for. */
export const isUsedUp = ({ times }: Pick<AskedFault, 'times'>, hits: number): boolean =>
  times !== null && hits >= times

/** When a fault ends for a client, on its clock; for nobody's calls on the wall. A client that was made after it was
 *  planned may have a clock of another time: for such a one it holds from its beginning, if it was made in time.
 *  @param client null for nobody known */
export function endFor(
  ends: FaultEnd | null,
  client: Pick<Client, 'clientId' | 'began'> | null,
): EpochMs | null {
  if (ends === null) return null
  const { at, of, wallAt, forMs } = ends
  if (client === null) return wallAt
  if (forMs === undefined) return at
  const { clientId, began } = client
  // Of that name there may have been another one.
  if (began.wallAt < wallAt - forMs) return of[clientId] ?? began.at + forMs
  return began.wallAt < wallAt ? began.at + forMs : began.at
}

/** The id follows from what is planned, so that a run that is repeated with the same seed draws the same lots.
 *  @param place how many were planned before it, of its client or of all clients */
export function faultId(
  { clientId, asked, ends }: Omit<PlannedFault, 'id' | 'does'>,
  seed: string,
  place: number,
): string {
  const said = JSON.stringify([seed, clientId, asked, asked.for === null ? (ends?.at ?? null) : null, place])
  return `flt_${hash('sha256', said).slice(0, 20)}`
}

/** From 0 up to 1, the same for the same fault and call; the seed is in the id. */
const lot = (id: string, call: number): number =>
  Number.parseInt(hash('sha256', JSON.stringify([id, call])).slice(0, 12), 16) / 2 ** 48

/** A call that planned faults and scenarios may have something for. */
export interface FaultyCall {
  readonly operation: Operation
  readonly when: FaultStage
  /** null: nobody knows whose it is. */
  readonly clientId: string | null
  /** null: it names none. */
  readonly requestId: string | null
  /** Of the order that it creates. */
  readonly kind?: OrderKind | undefined
}

/** The planned faults that may still be done to an attempt. It meets one at most; and what is sent again, because a
 *  fault says so, is not doubled once more: else its copies would have copies without end.
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

/** The plan of a delivery whose coming attempt has met a fault. It stands above what the scenario says. What is never
 *  to be sent stays so: a crash makes another attempt of it. */
export function planWith(
  plan: DeliveryPlan | null,
  { id, effect }: Pick<DeliveryFault, 'id' | 'effect'>,
  attempt: number,
): DeliveryPlan {
  const which = effect.faults.drop ? {} : { attempt }
  const faults = [...(plan?.faults ?? []), { fault: id, ...which, ...effect.faults }]
  return { ...plan, faults, ...(effect.delayMs > 0 && ({ delayed: true } as const)) }
}
