import type { AnswerEffect } from '../../domain/faults/answer/answer-fault.ts'
import { usualAnswer } from '../../domain/faults/answer/answer-fault.ts'
import type { Operation } from '../../domain/journal/entry.ts'
import { roundedMs } from '../../domain/keep/kept-time.ts'
import type { AnswerRule } from '../../domain/scenario/scenario.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { Call, SeenOrder } from '../evidence/evidence.ts'
import { fieldsOf, recordsIn } from '../evidence/read-call.ts'
import type { Masker } from '../mask.ts'

/** The calls of an application about one order, and how their answers differed from the usual ones. */
export interface SeenCalls {
  /** When the order began: the create call that stored it, or the first sign of it. */
  readonly createdAt: EpochMs
  /** The create call that stored it; null if the capture does not have it. */
  readonly storing: Call | null
  /** When that call was answered; its start without an answer. */
  readonly answeredAt: EpochMs
  readonly answers: readonly AnswerRule[]
  readonly notes: readonly string[]
}

/** An answer that came later than this was held back. */
const slowMs = 1_000

/** Reads the calls about an order.
 *  @param all every call about it, lookups included
 *  @param firstSeen the earliest webhook; the order began by then */
export function readCalls(
  { creates, created }: SeenOrder,
  { all, firstSeen, masker }: { all: readonly Call[]; firstSeen: EpochMs; masker: Masker },
): SeenCalls {
  const storing = storingCall(creates, created, all, firstSeen)
  const seenAt =
    storing?.at ?? Math.min(firstSeen, ...creates.map(({ at }) => at), ...all.map(({ at }) => at))
  const createdAt = Math.round(seenAt)
  const notes: string[] = []
  if (storing === null)
    notes.push(
      'The capture has no create call that stored the order. It begins with its first webhook or lookup.',
    )
  const isStoring = (call: Call) => call === storing
  const before = creates.slice(0, storing === null ? creates.length : creates.indexOf(storing))
  const after = creates.slice(before.length + 1)
  const answers = [
    ...rulesOf('create-order', before, 'before', masker),
    ...rulesOf('create-order', creates.filter(isStoring), 'stored', masker),
    // Calls after it are checked against the stored order first, so only this stage reaches them.
    ...rulesOf('create-order', after, 'unchecked', masker, before.length + (storing === null ? 0 : 1)),
    ...lookups.flatMap((operation) =>
      rulesOf(
        operation,
        all.filter((call) => call.operation === operation),
        'before',
        masker,
      ),
    ),
  ]
  const isSlow = storing?.ms != null && storing.status !== null
  const answeredAt = isSlow ? createdAt + Math.round(storing.ms ?? 0) : createdAt
  return { createdAt, storing, answeredAt, answers, notes }
}

const lookups = ['orders', 'crypto-orders', 'fiat-refunds'] as const

/** The create call that stored the order: the accepted one, unless an earlier one without a success did. Then the
 *  service said so (7001), or the order showed without any accepted call. */
function storingCall(
  creates: readonly Call[],
  created: Call | null,
  all: readonly Call[],
  firstSeen: EpochMs,
): Call | null {
  if (created !== null) return created
  const repeated = creates.findIndex(saysExists)
  const candidates = (repeated === -1 ? creates : creates.slice(0, repeated)).filter(isFaulty)
  const isStored =
    repeated !== -1 || firstSeen < Infinity || all.some((call) => (recordsIn(call)?.length ?? 0) > 0)
  const sign = Math.min(firstSeen, ...all.filter((call) => recordsIn(call)?.length).map(({ at }) => at))
  const early = candidates.filter(({ at }) => at <= sign)
  return isStored ? (early.at(-1) ?? candidates.at(-1) ?? null) : null
}

/** Whether the answer to a create call says that the order exists already. */
function saysExists({ output }: Call): boolean {
  const { error } = fieldsOf(output)
  return (
    fieldsOf(error).code === '7001' ||
    (typeof output === 'object' && JSON.stringify(output).includes('"7001"'))
  )
}

/** Whether an answer is a fault of the service or its network, and not an answer that the call earns itself. */
function isFaulty({ status, output, operation, isAnswered }: Call): boolean {
  if (status === null) return isAnswered
  if (status >= 500 || status === 429 || status === 408) return true
  const isLookup = operation !== 'create-checkout-order' && operation !== 'create-subscription-order'
  if (isLookup && (status === 401 || status === 403)) return true
  return status < 300 && (typeof output !== 'object' || output === null)
}

/** Rules that repeat the faulty answers among some calls.
 *  @param passed calls that this stage counts before the first of them */
function rulesOf(
  on: 'create-order' | Operation,
  calls: readonly Call[],
  when: AnswerRule['when'],
  masker: Masker,
  passed = 0,
): AnswerRule[] {
  const rules: AnswerRule[] = []
  let skip = passed
  for (const call of calls) {
    const effect = effectOf(call, masker)
    const last = rules.at(-1)
    if (effect === null) skip += 1
    else if (last?.skip === skip && JSON.stringify(last.effect) === JSON.stringify(effect))
      rules[rules.length - 1] = { ...last, times: (last.times ?? 0) + 1 }
    else rules.push({ on: [wordOf(on)], when, effect, skip, times: 1, forMs: null })
  }
  return rules
}

const wordOf = (on: 'create-order' | Operation): AnswerRule['on'][number] => on

/** How an answer differed from the usual one; null if it did not. */
function effectOf(call: Call, masker: Masker): AnswerEffect | null {
  const { status, ms, response, responseHeaders } = call
  const isSlow = ms !== null && ms >= slowMs
  if (!isFaulty(call)) return isSlow ? { ...usualAnswer, delayMs: roundedMs(ms) } : null
  if (status === null)
    return isSlow
      ? { ...usualAnswer, leaves: 'never', closedAfterMs: roundedMs(ms) }
      : { ...usualAnswer, leaves: 'reset' }
  const retryAfter = responseHeaders['retry-after']
  const body = response === null || response === '' || isBodiless(status) ? null : masker.mask(response)
  return {
    ...usualAnswer,
    status,
    body: body ?? (status < 400 && !isBodiless(status) ? '' : null),
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    delayMs: isSlow ? roundedMs(ms) : 0,
  }
}

const isBodiless = (status: number): boolean => status === 204 || status === 304
