import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that knows the order before it creates it', async () => {
  const report = await world.run(await world.open(ModelShop), ['K17'])
  expect(resultOf(report, 'K17').verdict).toBe('PASS')
})

/** Knows an order only once its create call has been answered. */
class Late extends ModelShop {
  override async create(requestId: string, text: string) {
    const purchase = this.purchases.get(requestId)
    this.purchases.delete(requestId)
    const reply = await super.create(requestId, text)
    if (purchase) this.purchases.set(requestId, purchase)
    return reply
  }
}

test('passes one that refuses webhooks of orders that it does not know yet', async () => {
  const report = await world.run(await world.open(Late), ['K17'])
  expect(resultOf(report, 'K17').verdict).toBe('PASS')
})

class LateAndPolite extends Late {
  override async webhook(request: Request) {
    const response = await super.webhook(request)
    return response.status === 404 ? new Response() : response
  }
}

test('fails one that accepts and forgets them', async () => {
  const report = await world.run(await world.open(LateAndPolite), ['K01', 'K17'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  const { verdict, finding } = resultOf(report, 'K17')
  expect({ verdict, defect: finding?.defect }).toEqual({ verdict: 'FAIL', defect: 'lost' })
  expect(finding?.did).not.toContain('overwritten')
})

test('passes one that forgets them, and finds the order by looking itself', async () => {
  const shop = await world.open(LateAndPolite)
  const reconcile = async () => {
    for (const requestId of shop.purchases.keys()) await shop.settle(requestId)
  }
  const report = await world.run(shop, ['K17'], { reconcile })
  expect(resultOf(report, 'K17').verdict).toBe('PASS')
})

class Overwriting extends ModelShop {
  override async create(requestId: string, text: string) {
    const reply = await super.create(requestId, text)
    const purchase = this.purchases.get(requestId)
    if (purchase) purchase.state = 'waiting'
    return reply
  }
}

test('fails one that writes the answer over what the webhook has told', async () => {
  const report = await world.run(await world.open(Overwriting), ['K01', 'K17'])
  expect(resultOf(report, 'K17')).toMatchObject({
    verdict: 'FAIL',
    finding: {
      defect: 'wrong-status',
      did: 'What the answer brought has overwritten the webhook: before the create call was answered, it had accepted the webhook of COMPLETED, and it said "COMPLETED" with 1 fulfilment; afterwards it said "CREATED" with 1 fulfilment.',
      should: expect.stringContaining('only of an order that is still open'),
    },
  })
})

test('fails it too if its machine is so slow that it gives up the first two create calls', async () => {
  class Slow extends Overwriting {
    gaveUp = 0
    #open: AbortController | null = null

    override async call(path: string, body?: object, headers?: Record<string, string>) {
      if (!path.includes('create')) return super.call(path, body, headers)
      const open = new AbortController()
      this.#open = open
      return super.call(path, body, headers, open.signal).finally(() => {
        this.#open = null
      })
    }

    override async create(requestId: string, text: string) {
      return super.create(requestId, text).catch(() => ({ status: 0, text: '' }))
    }

    override async webhook(request: Request) {
      const answer = await super.webhook(request)
      if (this.gaveUp < 2 && this.#open?.signal.aborted === false) {
        this.gaveUp += 1
        this.#open.abort()
      }
      return answer
    }
  }
  const shop = await world.open(Slow)
  const report = await world.run(shop, ['K17'])
  expect(shop.gaveUp).toBe(2)
  expect(resultOf(report, 'K17')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})
