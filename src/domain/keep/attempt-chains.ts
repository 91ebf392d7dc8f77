import type { Settings } from '../choices/settings.ts'
import type { Attempt, Delivery, DeliveryPlan } from '../webhook/delivery.ts'
import { faultsAt } from '../webhook/faults/attempt-faults.ts'
import type { AttemptFaults, PlannedFaults } from '../webhook/faults/faults.ts'
import { nextAttemptAt, retryPolicy } from '../webhook/retry.ts'
import { type Written, writtenFaults } from './written-scenario.ts'

/** A difference of this many milliseconds between two attempts needs no words in a file. */
export const tolerableMs = 750

/** Splits the attempts of a webhook where the schedule of retries would not have sent the next one: a resend by hand,
 *  a pause, a Retry-After. */
export function chainsOf({ attempts, plan }: Delivery, settings: Settings): Attempt[][] {
  const copies = copiesIn(plan)
  const chains: Attempt[][] = []
  for (const attempt of attempts) {
    const chain = chains.at(-1)
    const before = chain?.at(-1)
    const gapMs = before === undefined ? 0 : attempt.at - before.at
    const isExpected =
      before?.outcome === 'accepted'
        ? copies !== undefined && near(gapMs, copies.apartMs ?? 0)
        : chain !== undefined && isRetryGap(chain.length, gapMs, settings)
    if (chain !== undefined && isExpected) chain.push(attempt)
    else chains.push([attempt])
  }
  return chains
}

/** The attempts of a webhook that are no retries: the first one, copies, and those that were sent by hand. */
export function sendings(delivery: Delivery, settings: Settings): Attempt[] {
  if (delivery.plan?.faults?.some(({ drop }) => drop)) return []
  return chainsOf(delivery, settings).flatMap((chain) =>
    chain.filter((attempt, index) => {
      const before = chain[index - 1]
      return before === undefined || before.outcome === 'accepted' || before.at === attempt.at
    }),
  )
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= tolerableMs

/** Whether the schedule of retries sends the next attempt after such a gap. */
function isRetryGap(attempt: number, gapMs: number, settings: Settings): boolean {
  const wait = nextAttemptAt(attempt, 0, retryPolicy(settings))
  return wait !== null && near(gapMs, wait)
}

/** The copies that a planned fault made after the receiver had accepted the webhook. */
export const copiesIn = (plan: DeliveryPlan | null): PlannedFaults | undefined =>
  plan?.faults?.find(({ fault, duplicate }) => fault !== undefined && duplicate !== undefined)

/** What a rule has to say about the attempts of a webhook, so that they come and end as they did. */
export interface NeededFaults {
  /** Fields of rules; later ones take precedence. */
  readonly rules: readonly Written[]
  /** The maximum number of attempts; undefined if they end by themselves. */
  readonly attempts: number | undefined
  readonly notes: readonly string[]
}

/** Compares the attempts of a webhook with those that a plan would cause at an endpoint that accepts everything.
 *  @param plan the faults that the file has already
 *  @param name the webhook in notes */
export function neededFaults(
  chain: readonly Attempt[],
  delivery: Delivery,
  { plan, settings, name }: { plan: DeliveryPlan | null; settings: Settings; name: string },
): NeededFaults {
  const planned = plannedRules(chain, delivery)
  const faults = [...(plan?.faults ?? []), ...planned.map(({ faults }) => faults)]
  const wanted = chain.map(endOf)
  const caused = wanted.map((_, index) => causedBy(faultsAt({ faults }, index + 1)))
  const own = wanted.every((end, index) => end === caused[index]) ? [] : counted(wanted)
  const notes = own.length === 0 ? [] : [failureNote(chain, caused, name)]
  const last = chain.at(-1)
  const isOver = last?.outcome === 'accepted' || chain.length > retryPolicy(settings).max
  if (!isOver && delivery.status === 'pending')
    notes.push(`${name} was still to be sent again. Here it ends with attempt ${chain.length}.`)
  const attempts = isOver || plan?.attempts === chain.length ? undefined : chain.length
  return { rules: [...planned.map(({ rule }) => rule), ...own], attempts, notes }
}

/** The planned faults of a webhook's first attempts, as rules. */
function plannedRules(
  chain: readonly Attempt[],
  { plan }: Delivery,
): { faults: PlannedFaults; rule: Written }[] {
  const met = chain.map(({ n }) => {
    const planned = plan?.faults?.find(({ fault, attempt }) => fault !== undefined && attempt === n)
    const { fault: _, attempt: __, duplicate: ___, apartMs: ____, ...faults } = planned ?? {}
    return Object.keys(faults).length === 0 ? null : faults
  })
  const ends = met.flatMap((faults, index) =>
    faults !== null && JSON.stringify(faults) !== JSON.stringify(met[index + 1] ?? null)
      ? [{ faults, times: index + 1 }]
      : [],
  )
  return ends.toReversed().map(({ faults, times }) => {
    const limited = { ...faults, times }
    return { faults: limited, rule: writtenFaults(limited) }
  })
}

/** How an attempt ended, or has to be counted. */
function endOf({ outcome, status }: Attempt): number | 'accepted' | 'cut' {
  if (outcome === 'accepted') return 'accepted'
  if (outcome === 'connection' || outcome === 'unknown') return 'cut'
  return outcome === 'timeout' ? 504 : (status ?? 500)
}

function causedBy({ cut, lost, countAs }: AttemptFaults): number | 'accepted' | 'cut' {
  if (cut !== undefined || lost) return 'cut'
  return countAs === undefined || (countAs >= 200 && countAs < 300) ? 'accepted' : countAs
}

/** Rules that make the first attempts fail as they did. Attempts of which some got an answer and others none all count
 *  as answered. */
function counted(wanted: readonly (number | 'accepted' | 'cut')[]): Written[] {
  const failing = wanted.filter((end) => end !== 'accepted')
  if (failing.length === 0) return []
  if (failing.every((end) => end === 'cut')) return [{ cut: 1, times: failing.length }]
  const codes = failing.map((end) => (typeof end === 'number' ? end : 503))
  const ends = codes.flatMap((countAs, index) =>
    countAs === codes[index + 1] ? [] : [{ countAs, times: index + 1 }],
  )
  return ends.toReversed()
}

function failureNote(
  chain: readonly Attempt[],
  caused: readonly (number | 'accepted' | 'cut')[],
  name: string,
): string {
  const failures = chain.filter((one, index) => one.outcome !== 'accepted' && endOf(one) !== caused[index])
  if (failures.length === 0)
    return `${name} was accepted, although a fault of the file makes an attempt fail.`
  const ends = [...new Set(failures.map(endWords))]
  const which = failures.length === 1 ? `attempt ${failures[0]?.n}` : `${failures.length} attempts`
  return `Your application did not accept ${which} of ${name} (${ends.join(', ')}). The file counts the same attempts as failed, whatever your application answers.`
}

function endWords({ outcome, status }: Attempt): string {
  if (outcome === 'refused') return `it answered ${status}`
  if (outcome === 'timeout') return 'no answer in time'
  return outcome === 'unknown' ? 'the emulator stopped meanwhile' : 'no connection, or a broken one'
}
