import type { HistoryEntry, Order } from '../order/order.ts'
import { chargeOutcome, trialMs } from '../order/subscription.ts'
import type { ChargeRule, Effect, ExtraWebhook, PayOutcome, ScenarioStep } from '../scenario/scenario.ts'
import { formatDuration } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import type { KeptStep, RecordedLife, RecordedOrder } from './recorded-life.ts'
import { signedText, type Written, writtenEffect } from './written-scenario.ts'

/** The steps of a recorded order, its charges, and what the file cannot say about them. */
export interface KeptSteps {
  readonly steps: readonly KeptStep[]
  /** Lines about charges, as a file writes them. */
  readonly charges: readonly Written[]
  readonly notes: readonly string[]
}

/** Reads the steps of an order from its history: those of its scenario with what came of them, and manual acts. */
export function keptSteps({ orders, scenario }: RecordedLife): KeptSteps {
  const [first] = orders
  const timeline = scenario?.timeline ?? []
  const reading = new HistoryReading(first, timeline, scenario?.charges ?? [])
  for (const entries of grouped(first.history)) reading.take(entries)
  const { steps, notes } = reading
  const charges = keptCharges(orders, scenario?.charges ?? [], reading.firstCharge)
  return { steps, charges, notes }
}

/** The history entries of one scenario step together; every other entry alone. */
function grouped(history: readonly HistoryEntry[]): HistoryEntry[][] {
  const groups: HistoryEntry[][] = []
  for (const entry of history) {
    const last = groups.at(-1)
    if (entry.step !== undefined && last?.[0]?.step === entry.step) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

class HistoryReading {
  readonly steps: KeptStep[] = []
  readonly notes: string[] = []
  /** The status with which the first charge of a subscription ended by its charge rule. */
  firstCharge: { status: string; afterMs: number } | null = null
  readonly #order: Order
  readonly #timeline: readonly ScenarioStep[]
  readonly #rules: readonly ChargeRule[]
  /** The time of the latest expiry, whose status change follows it. */
  #expiredAt: EpochMs | null = null

  constructor({ order }: RecordedOrder, timeline: readonly ScenarioStep[], rules: readonly ChargeRule[]) {
    this.#order = order
    this.#timeline = timeline
    this.#rules = rules
  }

  take(entries: readonly HistoryEntry[]): void {
    const [entry] = entries
    if (entry === undefined) return
    const step = entry.step === undefined ? undefined : this.#timeline[entry.step]
    if (step === undefined) this.#takeAct(entry)
    else this.#takeStep(step, entries, entry.at)
  }

  #takeStep({ when, effects }: ScenarioStep, entries: readonly HistoryEntry[], at: EpochMs): void {
    if ('on' in when && when.on === 'lookup') {
      this.notes.push(
        `A step waited for lookup ${when.n} of the order. Here it comes ${this.#after(at)}, whatever is looked up.`,
      )
    }
    const outcome = payOutcomeIn(entries)
    let fields: Record<string, unknown> = {}
    let extras = 0
    const add = () => {
      if (Object.keys(fields).length > 0)
        this.steps.push({ at, fields, since: this.#dateOf(when, at), extras })
      fields = {}
      extras = 0
    }
    for (const effect of effects) {
      const happened = effect.do === 'pay' ? paidAs(effect, outcome) : effect
      const written = writtenEffect(happened)
      if (Object.keys(written).some((name) => name in fields)) add()
      fields = { ...fields, ...written }
      if (effect.do === 'webhook') extras += copiesOf(effect.webhook)
    }
    add()
  }

  /** An entry that no scenario step made: an act of the payer or of a test, a charge, or the expiry. */
  #takeAct({ at, what, from, to = '' }: HistoryEntry): void {
    const { orderStatus, errorReason, refunds, refundError } = this.#order
    if (what === 'paid' || what === 'authorised') this.#add(at, { pay: 'completed' })
    else if (what === 'abandoned') this.#add(at, { pay: 'abandoned' })
    else if (what === 'cancelled') this.#add(at, { cancel: true })
    else if (what === 'expired') this.#expiredAt = at
    else if (what === 'order' && this.#isFirstCharge(at))
      this.firstCharge = { status: to, afterMs: at - (this.#order.subscription?.anchor ?? at) }
    else if (what === 'order') {
      const error = to === 'FAILED' && orderStatus === 'FAILED' ? errorReason?.errorCode : undefined
      const declined = to === 'FAILED' && this.#expiredAt !== at
      this.#add(at, declined ? { pay: 'failed', error } : { order: to, error })
    } else if (what.startsWith('refund ') && from === 'none' && what !== 'refund error') {
      const amount = refunds?.[Number(what.slice('refund '.length)) - 1]?.fiatAmount
      const failed = refundError?.at === at ? refundError.errorCode : undefined
      if (amount !== undefined) this.#add(at, { refund: amount, refundError: failed })
    } else if (what === 'refund error') this.#addRefundError(at, to)
    else if (what.startsWith('parked')) this.notes.push(`The order stopped ${this.#after(at)}: ${what}.`)
    else if (!implied.test(what)) this.notes.push(`The history says "${what}" ${this.#after(at)}.`)
  }

  /** The error of a failed refund, unless the step of the refund has it. */
  #addRefundError(at: EpochMs, error: string): void {
    const last = this.steps.at(-1)
    if (last?.at !== at || last.fields.refund === undefined) this.#add(at, { refundError: error })
    else if (last.fields.refundError === undefined)
      this.steps[this.steps.length - 1] = { ...last, fields: { ...last.fields, refundError: error } }
  }

  #add(at: EpochMs, fields: Written): void {
    this.steps.push({ at, fields, since: trialOf(this.#order, at) })
  }

  /** Whether a change that no step made is the first charge of a subscription. */
  #isFirstCharge(at: EpochMs): boolean {
    const { subscription } = this.#order
    if (subscription?.anchor == null || at < subscription.anchor || this.#expiredAt === at) return false
    return this.firstCharge === null && chargeOutcome(this.#rules, 1) !== null
  }

  #dateOf(when: ScenarioStep['when'], at: EpochMs): KeptStep['since'] {
    const { expiresAt, subscription } = this.#order
    const date = 'since' in when ? when.since : 'creation'
    if (date === 'expiry') return { date, at: expiresAt }
    const second = subscription?.second
    if (date === 'interval' && second != null) return { date, at: second }
    return trialOf(this.#order, at)
  }

  #after(at: EpochMs): string {
    return `${formatDuration(at - this.#order.createdAt)} after the creation`
  }
}

/** Once a trial has begun, times count from its end: a scenario adds the trial to times since the creation. */
function trialOf(order: Order, at: EpochMs): KeptStep['since'] {
  const anchor = order.subscription?.anchor
  const started = anchor == null || trialMs(order) === 0 ? null : anchor - trialMs(order)
  return anchor == null || started === null || at <= started ? undefined : { date: 'trialEnd', at: anchor }
}

/** Entries that follow from another one of the same time, and what the emulator notes for itself. */
const implied = /^(created|payment|settlement|step|charge \d+|crypto)$/

const payOutcomeIn = (entries: readonly HistoryEntry[]): PayOutcome | null => {
  if (entries.some(({ what }) => what === 'paid' || what === 'authorised')) return 'completed'
  const said = entries.find(({ what }) => what === 'failed' || what === 'abandoned')?.what
  return said === 'failed' || said === 'abandoned' ? said : null
}

const paidAs = (effect: Extract<Effect, { do: 'pay' }>, outcome: PayOutcome | null): Effect =>
  outcome === null || outcome === effect.outcome ? effect : { do: 'pay', outcome, errorCode: null }

const copiesOf = ({ duplicate = 0, simultaneous = 0 }: ExtraWebhook): number => 1 + duplicate + simultaneous

/** A payment that failed or was abandoned ends a scenario. Where more happened afterwards, the file says it without
 *  the end. */
export function withoutEarlyEnd(steps: readonly KeptStep[], notes: string[]): KeptStep[] {
  return steps.flatMap((step, index) => {
    if (index === steps.length - 1) return [step]
    const { pay, ...others } = step.fields
    if (pay === 'failed') return [{ ...step, fields: { ...others, order: 'FAILED' } }]
    if (pay !== 'abandoned') return [step]
    notes.push('The payer left before the order ended. The file leaves that out, because more steps follow.')
    return Object.keys(others).length === 0 ? [] : [{ ...step, fields: others }]
  })
}

/** The lines about charges: one for all charges that ended like the first of them, one for each other. */
function keptCharges(
  orders: RecordedLife['orders'],
  rules: readonly ChargeRule[],
  first: { status: string; afterMs: number } | null,
): Written[] {
  const ends = orders.flatMap(({ order, history }) => {
    const { charge } = order
    if (charge === 1) {
      const errorCode = order.errorReason?.errorCode ?? null
      return first === null ? [] : [{ charge, ...first, errorCode }]
    }
    const end = history.find(({ what }) => what === 'order')
    const { status = 'COMPLETED', errorCode = null, afterMs = 0 } = chargeOutcome(rules, charge) ?? {}
    // A charge that has not ended yet ends as its rule says.
    if (end === undefined) return [{ charge, status, errorCode, afterMs }]
    const reason = order.errorReason?.errorCode ?? null
    return [{ charge, status: end.to ?? status, errorCode: reason, afterMs: end.at - order.createdAt }]
  })
  const [leader] = ends
  const last = ends.at(-1)
  if (leader === undefined || last === undefined) return []
  const line = ({ status, errorCode, afterMs }: (typeof ends)[number]): Written => ({
    after: afterMs < 100 ? undefined : signedText(afterMs),
    order: status,
    error: status === 'FAILED' ? (errorCode ?? undefined) : undefined,
  })
  const usual = ends.find(({ status }) => status === 'COMPLETED') ?? leader
  const from = leader.charge === 1 ? undefined : leader.charge
  const all = { every: 'interval', from, times: last.charge - leader.charge + 1, ...line(usual) }
  const others = ends.filter((end) => JSON.stringify(line(end)) !== JSON.stringify(line(usual)))
  return [all, ...others.map((end) => ({ charge: end.charge, ...line(end) }))]
}
