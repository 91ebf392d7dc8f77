import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CaseId } from '../../../src/conform/index.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Gives its orders requestIds that it has given before. */
abstract class Repeating extends ModelShop {
  bought = 0
  abstract nameOf(n: number): string

  override async buy({ text }: { text: string }): Promise<string | null> {
    this.bought += 1
    const requestId = `${this.client.clientId}-${this.nameOf(this.bought)}`
    const purchase = { state: 'waiting', parcels: 0, shipped: new Set<string>() } as const
    if (!this.purchases.has(requestId)) this.purchases.set(requestId, { ...purchase })
    await this.create(requestId, text)
    return requestId
  }
}

class AlwaysTheSame extends Repeating {
  nameOf(): string {
    return 'one'
  }
}

class FromTheSixthOn extends Repeating {
  nameOf(n: number): string {
    return String(Math.min(n, 6))
  }
}

class TwoInTurn extends Repeating {
  nameOf(n: number): string {
    return String(n % 2)
  }
}

class EverySixthTime extends Repeating {
  nameOf(n: number): string {
    return String(n % 6 === 0 ? n - 1 : n)
  }
}

/** Says that its create call was refused. */
class Honest extends AlwaysTheSame {
  override async create(requestId: string, text: string) {
    const reply = await super.create(requestId, text)
    if (reply.status !== 200) throw new Error(`the service answers ${reply.status}`)
    return reply
  }
}

test.concurrent.each([
  ['always the same', AlwaysTheSame],
  ['always the same, and says that it failed', Honest],
  ['one from some time on', FromTheSixthOn],
  ['two in turn', TwoInTurn],
  ['one twice now and then', EverySixthTime],
] as const)('an application that gives requestIds again fails once: %s', async (_, shop) => {
  const report = await world.run(await world.open(shop), ['K01', 'K02', 'K08', 'K11'])
  expect(report.problems).toEqual([])
  const failed = report.cases.filter(({ verdict }) => verdict === 'FAIL')
  expect(failed).toMatchObject([
    {
      finding: {
        defect: 'repeated-id',
        did: expect.stringMatching(/^It used the requestId .* again: .* 7001/),
      },
    },
  ])
  const [id] = failed.map((each) => each.id)
  for (const { verdict, note } of report.cases)
    if (verdict === 'NOT-SEEN') expect(note).toBe(`the start call named an earlier order again: see ${id}`)
})

test.concurrent.each<CaseId>(['K03', 'K15', 'K17', 'K18', 'K34'])(
  'that is a failure whatever the level of the case, and however it begins its orders: %s',
  async (id) => {
    const report = await world.run(await world.open(AlwaysTheSame), [id])
    expect(resultOf(report, id)).toMatchObject({ verdict: 'FAIL', finding: { defect: 'repeated-id' } })
  },
)

test.concurrent('so is a requestId that an earlier run has used', async () => {
  class Counting extends Repeating {
    nameOf(n: number): string {
      return String(n)
    }
  }
  const shop = await world.open(Counting)
  await world.run(shop, ['K01'])
  shop.bought = 0
  expect(resultOf(await world.run(shop, ['K01']), 'K01')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'repeated-id' },
  })
})

/** Has one order for each customer, and all are one customer. */
class OneCart extends ModelShop {
  cart: string | null = null
  override async buy(given: { text: string }) {
    this.cart ??= await super.buy(given)
    return this.cart
  }
}

test.concurrent('a start call that makes no new order is a problem of the configuration', async () => {
  const report = await world.run(await world.open(OneCart), ['K01'])
  expect(report).toMatchObject({ ok: false, cases: [] })
  expect(report.problems).toEqual([
    { member: 'start', message: expect.stringMatching(/of an earlier order.*`\{unique\}`/) },
  ])
})

test.concurrent('so is one that makes none from some case on, and is told once', async () => {
  class LaterOneCart extends OneCart {
    #left = 5
    override buy(given: { text: string }) {
      this.#left -= 1
      if (this.#left >= 0) this.cart = null
      return super.buy(given)
    }
  }
  const report = await world.run(await world.open(LaterOneCart), ['K01', 'K08', 'K11'])
  expect(report.problems).toHaveLength(1)
  expect(report.counts).toMatchObject({ PASS: 1, 'NOT-SEEN': 2 })
  expect(resultOf(report, 'K11').note).toContain('see K08')
})

test.concurrent('a requestId that is read at the wrong place is told with the one that was created', async () => {
  class Previous extends ModelShop {
    #last: string | null = null
    override async buy(given: { text: string }) {
      const before = this.#last
      this.#last = await super.buy(given)
      return before ?? this.#last
    }
  }
  const report = await world.run(await world.open(Previous), ['K01'])
  expect(report.problems).toEqual([
    { member: 'start.requestId', message: expect.stringContaining('your application created the order') },
  ])
})
