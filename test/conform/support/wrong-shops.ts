import { type FiatRecord, ModelShop } from './model-shop.ts'

// Bugs that more than one case is to find.

/** Takes every order for paid. */
export class Hasty extends ModelShop {
  override act(requestId: string, record: FiatRecord): void {
    super.act(requestId, { ...record, orderStatus: 'COMPLETED' })
  }
}

/** Releases whenever it learns that an order is paid. */
export class Generous extends ModelShop {
  override act(requestId: string, record: FiatRecord): void {
    this.purchases.get(requestId)?.shipped.clear()
    super.act(requestId, record)
  }
}

/** Never acts on anything. */
export class Idle extends ModelShop {
  override act(): void {}
}

/** Trusts the status in webhooks, whoever sends them. */
export class Trusting extends ModelShop {
  override async webhook(request: Request): Promise<Response> {
    const { requestId, orderId, orderStatus } = JSON.parse(await request.text())
    this.act(requestId, { orderId, orderStatus })
    return new Response()
  }
}

/** Asks for every webhook to come again, but for those of CREATED. */
export class PuttingOff extends ModelShop {
  override async webhook(request: Request): Promise<Response> {
    const { orderStatus } = JSON.parse(await request.text())
    return new Response(null, { status: orderStatus === 'CREATED' ? 204 : 503 })
  }
}

/** Has so much in stock, and refuses to sell more. */
export class SoldOut extends ModelShop {
  left = 3

  override async buy(given: { text: string }): Promise<string | null> {
    this.left -= 1
    if (this.left < 0) throw new Error('sold out')
    return super.buy(given)
  }
}
