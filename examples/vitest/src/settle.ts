import type { Payments } from './payments.ts'
import type { Purchases } from './purchases.ts'

/** Asks the service what has become of a purchase, and acts on it. It alone decides what is shipped: a webhook and
 *  the reconciler are only occasions to ask. */
export async function settle(id: string, purchases: Purchases, payments: Payments): Promise<void> {
  const purchase = purchases.find(id)
  if (purchase === undefined || purchase.state === 'shipped') return
  const order = await payments.lookUp(id)
  if (order?.orderStatus === 'COMPLETED') purchases.ship(id)
  if (order?.orderStatus === 'FAILED') purchases.decline(id, order.errorReason?.errorCode ?? 'unknown')
}

/** Settles whatever may still be paid. Run it every few minutes: a webhook may never come. */
export async function reconcile(purchases: Purchases, payments: Payments): Promise<void> {
  for (const id of purchases.payable()) {
    // One that makes trouble must not keep back the others.
    await settle(id, purchases, payments).catch((error) =>
      console.error(`Purchase ${id} is not settled:`, error),
    )
  }
}
