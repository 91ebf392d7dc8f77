import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Looks its open orders up when it is told to. */
class Job extends ModelShop {
  readonly looks = new Map<string, number>()

  async reconcile() {
    for (const [requestId, { state }] of this.purchases) {
      const looks = (this.looks.get(requestId) ?? 0) + 1
      this.looks.set(requestId, looks)
      if (state === 'waiting' && this.mayLook(looks)) await this.settle(requestId)
    }
  }

  mayLook(_looks: number): boolean {
    return true
  }
}

/** Gives up after some looks. */
const looking = (times: number) =>
  class extends Job {
    override mayLook(looks: number) {
      return looks <= times
    }
  }

async function withJob(shop: typeof Job) {
  const opened = await world.open(shop)
  const config = { polling: undefined, reconcile: () => opened.reconcile() }
  return resultOf(await world.run(opened, ['K57'], config), 'K57')
}

/** The result for a shop that looks its orders up every 20 ms. */
async function polling(shop: typeof Job) {
  const opened = await world.open(shop)
  const timer = setInterval(() => void opened.reconcile().catch(() => undefined), 20)
  // On a busy machine a look takes longer.
  const report = await world.run(opened, ['K57'], { settle: '100ms' })
  clearInterval(timer)
  return resultOf(report, 'K57')
}

test.concurrent('passes an application that goes on looking', async () => {
  expect(await withJob(Job)).toMatchObject({ verdict: 'PASS', note: null })
  expect(await polling(Job)).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('warns of one that looks five times', async () => {
  for (const result of [await withJob(looking(5)), await polling(looking(5))])
    expect(result).toMatchObject({ verdict: 'WARN', finding: { defect: 'lost' } })
})

test.concurrent('says after how long it was paid', async () => {
  expect((await withJob(looking(2))).finding?.did).toMatch(
    /^The order was paid after 20 calls of `reconcile`, without a webhook, and it has not noticed within/,
  )
  expect((await polling(looking(5))).finding?.did).toMatch(/^The order was paid after 0\.3 s, /)
})

test.concurrent('warns of one that releases with each look', async () => {
  class Generous extends Job {
    override async reconcile() {
      for (const [requestId, { shipped }] of this.purchases) {
        shipped.clear()
        await this.settle(requestId)
      }
    }
  }
  expect(await polling(Generous)).toMatchObject({ verdict: 'WARN', finding: { defect: 'doubled' } })
})

test.concurrent('says nothing new of one that never looks', async () => {
  const report = await world.run(await world.open(ModelShop), ['K28', 'K57'])
  expect(resultOf(report, 'K57')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('K28'),
  })
})

test.concurrent('says nothing new of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K01', 'K57'])
  expect(resultOf(report, 'K57').verdict).toBe('NOT-SEEN')
})

test.concurrent('is not seen without a word about polling', async () => {
  const report = await world.run(await world.open(ModelShop), ['K57'], { polling: undefined })
  expect(resultOf(report, 'K57')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('set `polling`'),
    needs: ['reconcile', 'polling'],
  })
})
