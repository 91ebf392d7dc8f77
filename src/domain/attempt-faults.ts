import type { DeliveryPlan } from './delivery.ts'
import type { EpochMs } from './time.ts'

/** How single attempts of a webhook are wrong on purpose; what is not said is as it should be. */
export interface AttemptFaults {
  /** Laid over the headers of an ordinary attempt; null takes one away. Names in lower case. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
  /** `wrong`: with another key; `none`: without the header of the signature. */
  readonly sign?: 'right' | 'wrong' | 'none' | undefined
  /** How far the timestamp that gets signed is ahead of the clock; negative when behind. */
  readonly timestampMs?: number | undefined
  /** One byte of the body is another one than what was signed. */
  readonly tamper?: boolean | undefined
  /** Bytes of the signed body that are sent, as if they were all of it. */
  readonly truncate?: number | undefined
  /** Bytes of the body after which the connection is cut; `end` for all of them. */
  readonly cut?: number | 'end' | undefined
  /** The status that stands for whatever the receiver answers. */
  readonly countAs?: number | undefined
  /** The attempt gets lost on the way: nothing is sent, and it counts as a broken connection. */
  readonly lost?: boolean | undefined
  /** It leaves so much later by the wall clock, for applications that go on working after their answer. */
  readonly pauseMs?: number | undefined
  /** Nothing is sent, now or later. */
  readonly drop?: boolean | undefined
  /** How often it is sent again once it is accepted. */
  readonly duplicate?: number | undefined
  /** From one of those to the next. */
  readonly apartMs?: number | undefined
}

/** Faults of a delivery's first attempts, or of one. */
export interface PlannedFaults extends AttemptFaults {
  /** How many attempts they are about; all if left out. */
  readonly times?: number | undefined
  /** The only attempt that they are about. */
  readonly attempt?: number | undefined
  /** The id of the fault that was planned while the emulator runs; of a scenario's there is none. */
  readonly fault?: string | undefined
}

type FaultPlan = Pick<DeliveryPlan, 'faults'>

/** What is wrong with an attempt: of several things said about it, the later one holds.
 *  @param attempt its number, from 1 */
export function faultsAt(plan: FaultPlan | null, attempt: number): AttemptFaults {
  return faultsAbout(plan, attempt).reduce<AttemptFaults>(
    (sum, { times: _, attempt: __, fault: ___, ...faults }) => laidOver(sum, faults),
    {},
  )
}

const faultsAbout = (plan: FaultPlan | null, attempt: number): readonly PlannedFaults[] =>
  plan?.faults?.filter(
    ({ times, attempt: only }) => attempt <= (times ?? attempt) && attempt === (only ?? attempt),
  ) ?? []

/** How an attempt reads whose answer was overridden by `countAs`. */
export function overrideWords(plan: FaultPlan | null, attempt: number, answered: number): string {
  const overriding = faultsAbout(plan, attempt).findLast(({ countAs }) => countAs !== undefined)
  const by = overriding?.fault === undefined ? 'the scenario' : 'a planned fault'
  return `${yourAppAnswered} ${answered}, treated as ${overriding?.countAs} by ${by}`
}

const yourAppAnswered = 'your app answered'

/** What the endpoint answered, and what it was treated as, for an attempt whose answer was overridden; else null. */
export function overrideOf(
  plan: FaultPlan | null,
  { n, status, error }: { readonly n: number; readonly status: number | null; readonly error: string | null },
): string | null {
  const isOverridden = status !== null && faultsAt(plan, n).countAs === status
  return isOverridden && error?.startsWith(yourAppAnswered) ? error : null
}

/** Since which attempt a webhook is to be sent again once it is accepted; null if it is not. */
export const copiedSince = (plan: DeliveryPlan | null): number | null => copying(plan)?.attempt ?? null

/** When a webhook that was accepted is sent once more; null if it is not.
 *  @param accepted how many attempts were accepted before, since it is to be sent again */
export function nextCopyAt(plan: DeliveryPlan | null, accepted: number, now: EpochMs): EpochMs | null {
  const { duplicate = 0, apartMs = 0 } = copying(plan) ?? {}
  return accepted < duplicate ? now + apartMs : null
}

const copying = (plan: DeliveryPlan | null): PlannedFaults | undefined =>
  plan?.faults?.find(({ duplicate }) => duplicate !== undefined)

function laidOver(under: AttemptFaults, over: AttemptFaults): AttemptFaults {
  const headers = over.headers && { ...under.headers, ...over.headers }
  return { ...under, ...over, ...(headers && { headers }) }
}

/** What of a body leaves, and how many bytes it is said to have. A truncated body is announced as what is left of
 *  it, so that it arrives whole, under the signature of all of it; one that is cut is announced as it was. */
export function bodyOnTheWire(
  body: string,
  { tamper = false, truncate, cut = 'end' }: AttemptFaults,
): { sent: Buffer; announced: number } {
  const bytes = Buffer.from(body)
  const whole = (tamper ? tampered(bytes) : bytes).subarray(0, truncate)
  return { sent: cut === 'end' ? whole : whole.subarray(0, cut), announced: whole.length }
}

/** The same with its last letter or digit changed into a neighbour: still JSON, as a rule, that says something
 *  else. */
function tampered(bytes: Buffer): Buffer {
  const found = bytes.findLastIndex((byte) => /[a-z\d]/i.test(String.fromCharCode(byte)))
  const index = found === -1 ? bytes.length - 1 : found
  const byte = bytes[index]
  if (byte === undefined) return bytes
  const isLastOfItsKind = /[9zZ]/.test(String.fromCharCode(byte))
  return Buffer.from(bytes.with(index, isLastOfItsKind ? byte - 1 : byte + 1))
}
