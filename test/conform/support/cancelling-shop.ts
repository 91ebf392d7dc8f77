import { type FiatRecord, ModelShop } from './model-shop.ts'

const dayMs = 24 * 3_600_000

/** A model shop whose orders are given up when a customer cancels them, or after a day. Paid all the same, they are
 *  released. */
export class CancellingShop extends ModelShop {
  /** The orders that were given up, and not paid since. */
  readonly cancelled = new Set<string>()
  #nowMs = 0
  readonly #openSince = new Map<string, number>()

  override async create(requestId: string, text: string) {
    this.#openSince.set(requestId, this.#nowMs)
    return super.create(requestId, text)
  }

  override show(requestId: string) {
    const shown = super.show(requestId)
    return shown !== null && this.cancelled.has(requestId) ? { ...shown, status: 'FAILED' } : shown
  }

  cancel(requestId: string): void {
    if (this.purchases.get(requestId)?.state === 'waiting') this.cancelled.add(requestId)
  }

  /** The time of its clock. */
  time(nowMs: number): void {
    this.#nowMs = nowMs
    for (const [requestId, sinceMs] of this.#openSince)
      if (sinceMs > 0 && nowMs - sinceMs > dayMs) this.cancel(requestId)
  }

  /** Looks all orders up. */
  async reconcile(): Promise<void> {
    for (const requestId of this.purchases.keys()) await this.settle(requestId)
  }

  override act(requestId: string, record: FiatRecord): void {
    if (record.orderStatus === 'COMPLETED') this.cancelled.delete(requestId)
    super.act(requestId, record)
  }
}
