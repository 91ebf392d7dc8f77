import { CarefulShop } from './careful-shop.ts'

/** Looks only at its open orders, and ships twice if it looks at one of them twice at the same moment: it asks before
 *  the lookup whether an order is open, and not again after it. */
export class RacingShop extends CarefulShop {
  override async reconcile(): Promise<void> {
    const open = [...this.purchases].filter(([, { state }]) => state === 'waiting')
    await Promise.all(open.map(([requestId]) => this.settle(requestId)))
  }

  override async settle(requestId: string): Promise<boolean> {
    const purchase = this.purchases.get(requestId)
    const isOpen = purchase?.state === 'waiting'
    const records = await this.lookUp(requestId)
    if (records === null) return false
    if (!isOpen) return true
    purchase.shipped.clear()
    for (const record of records) this.act(requestId, record)
    return true
  }
}
