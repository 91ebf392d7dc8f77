import { hash } from 'node:crypto'
import type { Client } from '../client.ts'
import type { JsonMembers } from '../merge-patch.ts'
import type { AnswerRule, CallWord, FaultStage } from '../scenario/answer-rules.ts'
import type { EpochMs } from '../time.ts'
import type { Where } from '../where.ts'
import type { DeliveryEffect } from './delivery-effect-text.ts'

/** A misbehaviour of the API or of deliveries that was planned while the emulator runs. */
export interface PlannedFault {
  readonly id: string
  /** null: of all clients. */
  readonly clientId: string | null
  readonly asked: AskedFault
  /** null: it ends only when it is used up. */
  readonly ends: FaultEnd | null
  readonly does: FaultDeed
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
export type FaultDeed = { readonly calls: AnswerRule } | { readonly attempts: DeliveryEffect }

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
