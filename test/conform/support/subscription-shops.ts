import { CarefulShop } from './careful-shop.ts'
import type { FiatRecord } from './model-shop.ts'

// Bugs of shops that sell subscriptions.

/** Releases for the first charge alone. */
export class OncePerName extends CarefulShop {
  override act(requestId: string, record: FiatRecord): void {
    super.act(requestId, { ...record, orderId: requestId })
  }
}

/** Releases whenever it sees a charge that is paid. */
export class EachLook extends CarefulShop {
  override act(requestId: string, record: FiatRecord): void {
    this.purchases.get(requestId)?.shipped.clear()
    super.act(requestId, record)
  }
}
