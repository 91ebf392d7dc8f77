import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that asks for the webhook again', async () => {
  const report = await world.run(await world.open(ModelShop), ['K56'])
  expect(resultOf(report, 'K56')).toMatchObject({ verdict: 'PASS', note: null })
})

/** Repeats a lookup that fails. */
class Repeating extends ModelShop {
  readonly times: number = 5
  readonly pauseMs: number = 5

  override async lookUp(requestId: string) {
    for (let time = 1; ; time++) {
      const records = await super.lookUp(requestId)
      if (records !== null || time === this.times) return records
      await pause(this.pauseMs * time)
    }
  }
}

test.concurrent('passes one that repeats a lookup with growing pauses', async () => {
  const report = await world.run(await world.open(Repeating), ['K56'])
  expect(resultOf(report, 'K56')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('warns of one that repeats it without pauses', async () => {
  class Restless extends Repeating {
    override readonly times = 200
    override readonly pauseMs = 0
  }
  const report = await world.run(await world.open(Restless), ['K01', 'K56'])
  expect(resultOf(report, 'K56')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'endless', did: expect.stringContaining('more than 30 times within 2 s') },
  })
})

/** Answers 2xx, whether the lookup succeeds or not. */
class GivesUp extends ModelShop {
  override async webhook(request: Request) {
    await super.webhook(request)
    return new Response()
  }
}

test.concurrent('warns of one that answers 2xx and never looks again', async () => {
  const report = await world.run(await world.open(GivesUp), ['K56'])
  expect(resultOf(report, 'K56')).toMatchObject({ verdict: 'WARN', finding: { defect: 'lost' } })
})

test.concurrent.each([
  ['one failed lookup shows to be wrong', GivesUp, 'K29'],
  ['never releases anything', Idle, 'K01'],
] as const)('says nothing new of one that %s', async (_, shop, simpler) => {
  const report = await world.run(await world.open(shop), [simpler, 'K56'])
  expect(resultOf(report, simpler).verdict).toBe('FAIL')
  expect(resultOf(report, 'K56').verdict).toBe('NOT-SEEN')
})

test.concurrent('is not seen where nothing is looked up meanwhile', async () => {
  class Later extends ModelShop {
    override async webhook() {
      return new Response()
    }
  }
  const shop = await world.open(Later)
  const probe = async (requestId: string) => {
    await shop.settle(requestId)
    return shop.show(requestId)
  }
  const report = await world.run(shop, ['K56'], { probe: probe, polling: '1s' })
  expect(resultOf(report, 'K56').verdict).toBe('NOT-SEEN')
})
