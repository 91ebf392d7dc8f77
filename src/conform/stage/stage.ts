import type { Delivery, FaultRequest, HandMadeDelivery, ScenarioId } from '../../index.ts'
import type { CaseId } from '../report.ts'
import type { Setting } from './case-context.ts'
import { CaseContext, type CaseStart, caseStart } from './case-context.ts'
import type { Script } from './scripts.ts'
import type { StagedOrder } from './staged-order.ts'
import { type Beginning, type OrderOptions, Starts } from './starts.ts'
import { WebhooksByHand } from './webhooks-by-hand.ts'

/** Runs one case: creates orders, sends webhooks, plans faults, and undoes all of that at the end. It uses public
 *  surfaces only: the emulator's library, the application's webhook URL, and the calls of the configuration. */
export class Stage extends CaseContext {
  readonly #setting: Setting
  readonly #starts: Starts
  readonly #byHand: WebhooksByHand
  readonly #faults = new Set<string>()
  readonly #undoing: (() => Promise<unknown>)[] = []

  private constructor(id: CaseId, setting: Setting, start: CaseStart) {
    super(id, setting, start)
    this.#setting = setting
    this.#starts = new Starts(this, setting.signal)
    this.#byHand = new WebhooksByHand(this, setting.putBack)
  }

  static async open(id: CaseId, setting: Setting): Promise<Stage> {
    return new Stage(id, setting, await caseStart(setting))
  }

  /** The orders that the case has created so far. */
  get orders(): readonly StagedOrder[] {
    return this.#starts.orders
  }

  /** Whether the application has created orders; see `Starts.ordersMade`. */
  get ordersMade(): 'some' | 'none' | null {
    return this.#starts.ordersMade
  }

  /** Creates an order; see `Starts.order`. */
  order(options?: OrderOptions): Promise<StagedOrder> {
    return this.#starts.order(options)
  }

  /** Makes a start call without waiting; see `Starts.begin`. */
  begin(options?: OrderOptions): Promise<Beginning> {
    return this.#starts.begin(options)
  }

  /** Creates several orders; see `Starts.many`. */
  many(count: number, follows?: ScenarioId | Script): Promise<StagedOrder[]> {
    return this.#starts.many(count, follows)
  }

  /** Sends a webhook by hand; see `WebhooksByHand.send`. */
  send(webhook: HandMadeDelivery, words?: string): Promise<Delivery> {
    return this.#byHand.send(webhook, words)
  }

  /** Sends a delivery again; see `WebhooksByHand.resend`. */
  resend(delivery: Delivery): Promise<void> {
    return this.#byHand.resend(delivery)
  }

  /** The webhooks sent by hand; see `WebhooksByHand.sent`. */
  get byHand(): readonly Delivery[] {
    return this.#byHand.sent
  }

  /** Plans a fault, which is removed at the end of the case.
   *  @returns the id of the fault */
  async plan(fault: FaultRequest): Promise<string> {
    const { id } = await this.client.faults.plan(fault)
    this.#faults.add(id)
    return id
  }

  /** Removes a planned fault before the end of the case; does nothing if it is removed already. */
  async unplan(id: string): Promise<void> {
    if (this.#faults.delete(id)) await this.client.faults.remove(id)
  }

  /** Adds an act to undo at the end of the case, whatever its result. */
  atEnd(undo: () => Promise<unknown>): void {
    this.#undoing.push(undo)
  }

  /** Undoes the changes of the case and ends its orders, so that no application goes on asking for them. Tries all
   *  steps, even if one fails. */
  async close(): Promise<void> {
    const { client, orders } = this
    const steps = [
      ...this.#undoing.toReversed(),
      ...[...this.#faults].map((id) => () => this.unplan(id)),
      () => this.starting(() => client.scenarios.clearPlanned()),
      () => client.deliveries.release(),
      () => this.#setting.putBack(),
      ...orders.map((order) => () => order.end()),
      async () => orders.length > 0 && client.clock.settle(),
      ...this.#starts.scripts.map((id) => () => client.scenarios.remove(id)),
    ]
    const failures: unknown[] = []
    for (const step of steps) await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}
