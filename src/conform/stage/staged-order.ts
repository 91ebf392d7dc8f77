import { ControlCallRefused, type Delivery, type JournalEntry, type Order } from '../../index.ts'
import { type Answer, ProbeFailed, type Seen } from '../application/application.ts'
import { Finding, type FindingWords, WrongBefore, WrongConfiguration } from '../finding.ts'
import type { Defect } from '../report.ts'
import type { CaseContext } from './case-context.ts'
import { type Expectation, excessOf, failed, inWords, isMet, missingOf, paid } from './expectation.ts'

/** Longer than the service retries a failed webhook. */
const allRetries = '20m'
/** The most calls of its job before an order counts as lost. */
const jobs = 3

/** An order of a case, as the service has it and as the application shows it. */
export class StagedOrder {
  readonly answer: Answer
  readonly #case: CaseContext
  readonly #requestId: string | null
  readonly #looks: Looks
  readonly orderId: string | null
  /** Whether the application has created it; otherwise it exists only at the service. */
  readonly ofApplication: boolean

  constructor(
    context: CaseContext,
    begun: { answer: Answer; requestId: string | null; orderId: string | null; ofApplication: boolean },
  ) {
    this.#case = context
    this.#looks = new Looks(this, context)
    this.answer = begun.answer
    this.#requestId = begun.requestId
    this.orderId = begun.orderId
    this.ofApplication = begun.ofApplication
  }

  /** @throws Error if the application has created no order (a case where that can happen checks `known` first) */
  get requestId(): string {
    if (this.#requestId === null) throw new Error('the application has sent no create call')
    return this.#requestId
  }

  /** Whether the order's requestId is known. */
  get known(): boolean {
    return this.#requestId !== null
  }

  /** The application's answer to the start call, in words. */
  get answerText(): string {
    const { status, error, body, requestId } = this.answer
    if (error !== null) return error
    if (status !== null) return `its start call answered ${status} ${body.slice(0, 200)}`
    return requestId === null ? 'its answer named no order' : `its answer named the requestId ${requestId}`
  }

  /** Reads the order from the service. */
  read(): Promise<Order> {
    return this.#case.client.orders.get(this.requestId)
  }

  /** The webhooks of the order, oldest first.
   *  @param orderStatus only those with this status */
  deliveries(orderStatus?: string): Promise<Delivery[]> {
    const of = orderStatus === undefined ? {} : { orderStatus }
    return this.#case.client.deliveries.list({ requestId: this.requestId, ...of })
  }

  /** The application's calls about the order, oldest first. */
  calls(): Promise<JournalEntry[]> {
    return this.#case.calls({ requestId: this.requestId })
  }

  /** Pays the order. It may be paid already: an order that the application has created of its own follows the
   *  client's default scenario. */
  async pay(): Promise<void> {
    try {
      await this.#case.client.orders.pay(this.requestId)
      this.#case.note('the payer pays', { about: this.requestId })
    } catch (error) {
      if (!(error instanceof ControlCallRefused) || error.code !== 'order_is_paid') throw error
    }
  }

  /** The state of the order in the application; null if it cannot be probed.
   *  @throws ProbeFailed */
  async probe(): Promise<Seen | null> {
    return this.canBeProbed ? (this.#case.app.probe?.(this.requestId, this.answer.id ?? null) ?? null) : null
  }

  /** Whether the application can be probed for the order. */
  get canBeProbed(): boolean {
    const { probe, probesById } = this.#case.app
    return this.ofApplication && probe !== null && (!probesById || typeof this.answer.id === 'string')
  }

  /** Waits until the application shows the order as paid and has fulfilled it, and checks that this happens only
   *  once. Without a count of fulfilments the status is used.
   *  @throws Finding */
  async becomesPaid(): Promise<void> {
    await this.becomes(paid)
  }

  /** Like `becomesPaid`, for cases about duplicates, which are not observable without a count of fulfilments.
   *  @throws Finding */
  async becomesPaidOnce(): Promise<void> {
    this.needsEffects()
    await this.becomes(paid)
  }

  /** Waits until the application shows the order as failed, without fulfilment.
   *  @throws Finding */
  async becomesFailed(): Promise<void> {
    await this.becomes(failed)
  }

  /** Checks that the order stays paid, and fulfilled once.
   *  @throws Finding */
  async staysPaid(): Promise<void> {
    await this.stays(paid)
  }

  /** Checks that the order is not fulfilled.
   *  @param excess the defect if it is
   *  @throws Finding */
  async staysWithoutEffect(excess: Defect = 'premature'): Promise<void> {
    await this.stays({ state: null, effects: 0, excess })
  }

  /** Waits until the order is paid in any way the application has: webhooks and their retries, its job, its polling.
   *  @throws Finding */
  async endsPaid(): Promise<void> {
    const { app, longestMs } = this.#case
    let isDone = await this.#case.until(() => this.#isPaidOnce(), app.settleMs)
    if (!isDone) await this.#case.advanceAtLeast(allRetries)
    // Jobs run regularly: the first call may meet a pause that the application keeps on its own clock.
    for (let job = 1; job <= jobs && !isDone; job++) {
      await this.#case.reconcile()
      isDone = await this.#case.until(() => this.#isPaidOnce(), longestMs / jobs)
    }
    await this.becomes(paid, 0)
  }

  /** Like `isPaid`, but more than one fulfilment is an error.
   *  @throws Finding */
  async #isPaidOnce(): Promise<boolean> {
    const seen = await this.look()
    if (seen === null) return true
    this.#refuseExcess(seen, paid)
    return isMet(seen, paid)
  }

  /** Whether the application shows the order as paid now, and has fulfilled it; true if not observable.
   *  @throws Finding */
  async isPaid(): Promise<boolean> {
    const seen = await this.look()
    return seen === null || isMet(seen, paid)
  }

  /** Waits for a number of fulfilments, whatever the status, and checks that it stays the same.
   *  @param excess the defect if there are more
   *  @throws Finding */
  async releases(effects: number, excess: Defect): Promise<void> {
    await this.reaches(effects, excess)
    await this.stays(fulfilments(effects, excess))
  }

  /** Like `releases`, without the check that the number stays the same.
   *  @throws Finding */
  async reaches(effects: number, excess: Defect): Promise<void> {
    this.needsEffects()
    await this.#reach(fulfilments(effects, excess), this.#case.actsLatestMs)
  }

  /** Waits until the expectation holds, and checks that it stays so.
   *  @param withinMs how long to wait; default: as long as the application may take to act
   *  @throws Finding */
  async becomes(wanted: Expectation, withinMs = this.#case.actsLatestMs): Promise<void> {
    await this.#reach(wanted, withinMs)
    await this.stays(wanted)
  }

  async #reach(wanted: Expectation, withinMs: number): Promise<void> {
    let last: Seen | null = null
    const reached = await this.#case.until(async () => {
      last = await this.look()
      if (last === null) return true
      this.#refuseExcess(last, wanted)
      return isMet(last, wanted)
    }, withinMs)
    if (!reached) {
      this.#case.note(`has repeated the probe until now: ${inWords(last)}`, { about: this.requestId })
      throw this.#missed(last, wanted)
    }
  }

  /** Checks that the expectation holds and stays so until the application has settled.
   *  @throws Finding */
  async stays(wanted: Expectation): Promise<void> {
    if (!this.canBeProbed) return this.#looks.noteUnseen()
    await this.#case.until(async () => {
      const seen = await this.look()
      if (seen === null) return true
      this.#refuseExcess(seen, wanted)
      if (!isMet(seen, wanted)) throw this.#missed(seen, wanted)
      return false
    }, this.#case.app.settleMs)
  }

  /** Requires that the order is unpaid before the act of a case, as far as observable, until the application has
   *  settled. A slow application may still be about to fulfil it. If the application is known to wait for the
   *  payment, only its webhooks have to end.
   *  @throws WrongBefore */
  async isUnpaidBefore(): Promise<void> {
    if (!this.canBeProbed) return
    await this.#case.settle()
    await this.#case.until(
      async () => {
        const seen = await this.look()
        if (seen !== null && (seen.state === 'COMPLETED' || (seen.effects ?? 0) > 0))
          throw new WrongBefore(`${inWords(seen)} for an order that was not paid`, 'K01')
        return seen === null
      },
      this.#case.learned.waitsForPayment ? this.#case.app.actsWithinMs : this.#case.app.settleMs,
    )
  }

  /** Requires that the order was fulfilled once before the act of a case.
   *  @throws WrongBefore */
  async isPaidBefore(): Promise<void> {
    let last: Seen | null = null
    const reached = await this.#case.until(async () => {
      last = await this.look()
      return last === null || isMet(last, paid)
    }, this.#case.actsLatestMs)
    if (!reached) throw new WrongBefore(`${inWords(last)} for an order that was paid`, 'K01')
  }

  /** Notes that the case is about duplicates, which are not observable without a count of fulfilments. */
  needsEffects(): void {
    this.#looks.askHowOften()
  }

  /** Ends the order at the service, if it is still open. */
  async end(): Promise<void> {
    if (this.orderId === null || !this.known) return
    const order = await this.read()
    if (order.kind === 'subscription' && order.subscription?.cancelled === false)
      await this.#case.client.orders.cancelSubscription(this.requestId)
    else if (order.orderStatus === 'CREATED' && order.paymentStatus === 'CREATED')
      await this.#case.client.orders.pay(this.requestId, 'failed').catch(ignoreDecided)
  }

  /** Probes the application for the order; see `Looks.look`. */
  look(): Promise<Seen | null> {
    return this.#looks.look()
  }

  #refuseExcess(seen: Seen, wanted: Expectation): void {
    const excess = excessOf(seen, wanted)
    if (excess !== null) throw this.#finding(excess)
  }

  #missed(seen: Seen | null, wanted: Expectation): Error {
    if (seen?.state === 'other')
      return new WrongConfiguration(
        'probe.statuses',
        `the application returns the status ${JSON.stringify(seen.word)} for an order that is ${wanted.state}; list it under the status that it means`,
      )
    return this.#finding(missingOf(seen, wanted))
  }

  #finding(words: FindingWords): Finding {
    return new Finding({ ...words, requestId: this.requestId })
  }
}

/** The order may be decided between the look and the call, when the clock moves for another case. */
function ignoreDecided(error: unknown): void {
  if (!(error instanceof ControlCallRefused) || error.status !== 409) throw error
}

/** Expects a number of fulfilments, whatever the status. */
const fulfilments = (effects: number, excess: Defect): Expectation => ({
  state: null,
  effects,
  excess,
  whateverItSays: true,
})

/** Probes the application for an order repeatedly. Each new state becomes a report line, and missing observations
 *  are noted. */
class Looks {
  readonly #order: StagedOrder
  readonly #case: CaseContext
  #askHowOften = false
  #last: string | null = null

  constructor(order: StagedOrder, context: CaseContext) {
    this.#order = order
    this.#case = context
  }

  /** Notes that the case is about duplicates, which are not observable without a count of fulfilments. */
  askHowOften(): void {
    this.#askHowOften = true
  }

  /** The state of the order in the application; null if it cannot be probed. A failed probe is repeated, and counts
   *  as a crash if it keeps failing.
   *  @throws Finding */
  async look(): Promise<Seen | null> {
    if (!this.#order.canBeProbed) {
      this.noteUnseen()
      return null
    }
    const seen = await this.#answered()
    this.#note(inWords(seen))
    if (this.#askHowOften && seen?.effects === null)
      this.#case.cannotSee('how often your application fulfilled the order: set `probe.effects`')
    return seen
  }

  /** Notes why the application cannot be probed for the order. */
  noteUnseen(): void {
    const { probe } = this.#case.app
    const { ofApplication, answerText } = this.#order
    const needs = probe === null ? '`start` and `probe`' : '`start`'
    if (!ofApplication)
      this.#case.cannotSee(`how your application handles an order that it has created itself: set ${needs}`)
    else if (probe === null) this.#case.cannotSee('what your application holds the order for: give `probe`')
    else
      this.#case.cannotSee(
        `which status your application gives the order: the answer of its start call did not identify the order, ${answerText}`,
      )
  }

  async #answered(): Promise<Seen | null> {
    let failure: ProbeFailed | undefined
    let seen: Seen | null = null
    const answered = await this.#case.until(async () => {
      try {
        seen = await this.#order.probe()
        return true
      } catch (error) {
        if (!(error instanceof ProbeFailed)) throw error
        failure = error
        this.#note(error.message)
        return false
      }
    })
    if (answered || failure === undefined) return seen
    throw new Finding({
      defect: failure.status === null ? 'crashed' : 'server-error',
      did: `The probe fails: ${failure.message}`,
      requestId: this.#order.requestId,
    })
  }

  #note(words: string): void {
    if (words !== this.#last)
      this.#case.note(`asks the application for the order: ${words}`, { about: this.#order.requestId })
    this.#last = words
  }
}
