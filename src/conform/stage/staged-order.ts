import type { Delivery, JournalEntry, Order } from '../../index.ts'
import { type Answer, ProbeFailed, type Seen } from '../application/application.ts'
import { Finding, type FindingWords, WrongBefore, WrongConfiguration } from '../finding.ts'
import type { Defect } from '../report.ts'
import type { CaseContext } from './case-context.ts'
import { type Expectation, excessOf, failed, inWords, isSo, missingOf, paid } from './expectation.ts'

/** Longer than the service goes on sending a webhook that is refused. */
const allRetries = '20m'

/** An order of a case, seen from both sides: what the service holds of it, and what the application does. */
export class StagedOrder {
  readonly answer: Answer
  readonly #case: CaseContext
  readonly #requestId: string | null
  readonly #looks: Looks
  readonly orderId: string | null
  /** Whether the application has created it; else it was made at the service, and the application knows nothing of it. */
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

  /** @throws Error if the application has asked for no order (a case that can meet this asks `known` first) */
  get requestId(): string {
    if (this.#requestId === null) throw new Error('the application has sent no create call')
    return this.#requestId
  }

  /** Whether its name is known at all. */
  get known(): boolean {
    return this.#requestId !== null
  }

  /** What the start call said, in words. */
  get told(): string {
    const { status, error, body, requestId } = this.answer
    if (error !== null) return error
    if (status !== null) return `its start call answered ${status} ${body.slice(0, 200)}`
    return requestId === null ? 'its answer named no order' : `its answer named the requestId ${requestId}`
  }

  /** As the service holds it. */
  read(): Promise<Order> {
    return this.#case.client.orders.get(this.requestId)
  }

  /** Its webhooks, the oldest first. @param orderStatus only those that tell this status */
  deliveries(orderStatus?: string): Promise<Delivery[]> {
    const of = orderStatus === undefined ? {} : { orderStatus }
    return this.#case.client.deliveries.list({ requestId: this.requestId, ...of })
  }

  /** What the application has asked of the service about it, the oldest first. */
  calls(): Promise<JournalEntry[]> {
    return this.#case.calls({ requestId: this.requestId })
  }

  /** Has it paid, as a payer would. */
  async pay(): Promise<void> {
    await this.#case.client.orders.pay(this.requestId)
    this.#case.note('the payer pays', { about: this.requestId })
  }

  /** What the application says of it now; null if it cannot be asked. @throws ProbeFailed */
  async probe(): Promise<Seen | null> {
    return this.canBeProbed ? (this.#case.app.probe?.(this.requestId, this.answer.id ?? null) ?? null) : null
  }

  /** Whether it can be asked what has become of it. */
  get canBeProbed(): boolean {
    const { probe, probesById } = this.#case.app
    return this.ofApplication && probe !== null && (!probesById || typeof this.answer.id === 'string')
  }

  /** Waits until the application takes it for paid and has acted on it, and watches that it does so once only. Where
   *  nobody counts effects, the status has to do.
   *  @throws Finding */
  async becomesPaid(): Promise<void> {
    await this.becomes(paid)
  }

  /** The same where the question is how often: without a count of effects it is not seen. @throws Finding */
  async becomesPaidOnce(): Promise<void> {
    this.needsEffects()
    await this.becomes(paid)
  }

  /** Waits until the application takes it for failed, with nothing released. @throws Finding */
  async becomesFailed(): Promise<void> {
    await this.becomes(failed)
  }

  /** Watches that it stays paid, once. @throws Finding */
  async staysPaid(): Promise<void> {
    await this.stays(paid)
  }

  /** Watches that nothing is released for it. @param excess what it is to release something all the same
   *  @throws Finding */
  async staysWithoutEffect(excess: Defect = 'premature'): Promise<void> {
    await this.stays({ state: null, effects: 0, excess })
  }

  /** Waits until it is paid by whatever way the application has: what it was told, webhooks that come again because it
   *  refused them, what makes it look up now, its polling.
   *  @throws Finding */
  async endsPaid(): Promise<void> {
    const { app } = this.#case
    if (!(await this.#case.until(() => this.isPaid(), app.settleMs))) {
      await this.#case.advance(allRetries)
      await this.#case.reconcile()
    }
    await this.becomes(paid, this.#case.longestMs)
  }

  /** Whether the application takes it for paid now, and has acted on it; true where nobody can say. @throws Finding */
  async isPaid(): Promise<boolean> {
    const seen = await this.look()
    return seen === null || isSo(seen, paid)
  }

  /** Waits until it has released something so often, whatever it says, and watches that it stays at that.
   *  @param excess what it is to have released more
   *  @throws Finding */
  async releases(effects: number, excess: Defect): Promise<void> {
    this.needsEffects()
    await this.becomes({ state: null, effects, excess, whateverItSays: true })
  }

  /** Waits until it is so, and then watches that it stays so.
   *  @param withinMs for how long is waited; for as long as it may take to act if left out
   *  @throws Finding */
  async becomes(wanted: Expectation, withinMs = this.#case.actsLatestMs): Promise<void> {
    let last: Seen | null = null
    const reached = await this.#case.until(async () => {
      last = await this.look()
      if (last === null) return true
      this.#refuseExcess(last, wanted)
      return isSo(last, wanted)
    }, withinMs)
    if (!reached) {
      this.#case.note(`has repeated the probe until now: ${inWords(last)}`, { about: this.requestId })
      throw this.#missed(last, wanted)
    }
    await this.stays(wanted)
  }

  /** Watches that it is so and stays so, until the application has settled. @throws Finding */
  async stays(wanted: Expectation): Promise<void> {
    if (!this.canBeProbed) return this.#looks.noteUnseen()
    await this.#case.until(async () => {
      const seen = await this.look()
      if (seen === null) return true
      this.#refuseExcess(seen, wanted)
      if (!isSo(seen, wanted)) throw this.#missed(seen, wanted)
      return false
    }, this.#case.app.settleMs)
  }

  /** Makes sure that all is as it should be before the act of a case, as far as that can be seen, and stays so until the
   *  application has settled: one that works later may still be about to release something. Where it is known that it
   *  waits for the payment, that it is done with its webhook is all that is waited for. @throws WrongBefore */
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

  /** Makes sure that it was paid once before the act of a case. @throws WrongBefore */
  async isPaidBefore(): Promise<void> {
    let last: Seen | null = null
    const reached = await this.#case.until(async () => {
      last = await this.look()
      return last === null || isSo(last, paid)
    }, this.#case.actsLatestMs)
    if (!reached) throw new WrongBefore(`${inWords(last)} for an order that was paid`, 'K01')
  }

  /** Notes that the question is how often: where nobody counts, it is not seen. */
  needsEffects(): void {
    this.#looks.askHowOften()
  }

  /** Ends it at the service, if it is still open. */
  async end(): Promise<void> {
    if (this.orderId === null || !this.known) return
    const order = await this.read()
    if (order.kind === 'subscription' && order.subscription?.cancelled === false)
      await this.#case.client.orders.cancelSubscription(this.requestId)
    else if (order.orderStatus === 'CREATED' && order.paymentStatus === 'CREATED')
      await this.#case.client.orders.pay(this.requestId, 'failed')
  }

  /** @see Looks.look */
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

/** How an application is asked for an order, again and again. What it says is a line of what happened wherever that is
 *  new, and what cannot be seen is noted. */
class Looks {
  readonly #order: StagedOrder
  readonly #case: CaseContext
  #askHowOften = false
  #last: string | null = null

  constructor(order: StagedOrder, context: CaseContext) {
    this.#order = order
    this.#case = context
  }

  /** From now on the question is how often something was released: where nobody counts, it is not seen. */
  askHowOften(): void {
    this.#askHowOften = true
  }

  /** What the application says of the order; null if it cannot be asked. A probe that fails is asked again, and taken
   *  for a crash once it has failed for long. @throws Finding */
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

  /** Notes why the application cannot be asked for the order. */
  noteUnseen(): void {
    const { probe } = this.#case.app
    const { ofApplication, told } = this.#order
    const needs = probe === null ? '`start` and `probe`' : '`start`'
    if (!ofApplication)
      this.#case.cannotSee(`how your application handles an order that it has created itself: set ${needs}`)
    else if (probe === null) this.#case.cannotSee('what your application holds the order for: give `probe`')
    else
      this.#case.cannotSee(
        `which status your application gives the order: the answer of its start call did not identify the order, ${told}`,
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
