import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../../../src/time/timers.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that gives up the create call and waits with lookups', async () => {
  const report = await world.run(await world.open(CarefulShop), ['K33'])
  expect(resultOf(report, 'K33')).toMatchObject({ verdict: 'PASS', note: null })
})

class Impatient extends ModelShop {
  waitMs = 300
  override async call(path: string, body?: object, headers?: Record<string, string>) {
    const reply = await super.call(path, body, headers)
    if (reply.status !== 429 || !this.concerns(path)) return reply
    await pause(this.waitMs)
    return super.call(path, body, headers)
  }
  concerns(_path: string): boolean {
    return true
  }
}

test.concurrent('passes one that repeats each call after the time that was asked for', async () => {
  class Patient extends Impatient {
    override waitMs = 2_050
  }
  const report = await world.run(await world.open(Patient), ['K33'])
  expect(resultOf(report, 'K33')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one whose poller had sent the same lookup before the other was answered', async () => {
  class TwoAtOnce extends CarefulShop {
    #met = false
    override async attempt(...about: Parameters<CarefulShop['attempt']>) {
      const reply = await super.attempt(...about)
      if (this.#met || reply.status !== 429 || !about[0].includes('/client/orders')) return reply
      this.#met = true
      // As the service sees it: the other comes just after this one was answered.
      await super.attempt(...about)
      return reply
    }
  }
  const report = await world.run(await world.open(TwoAtOnce), ['K33'])
  expect(resultOf(report, 'K33')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent.each([
  ['create calls', 'create-order'],
  ['lookups', '/client/orders'],
])('warns of one that repeats %s at once', async (_what, part) => {
  class AtOnce extends Impatient {
    override waitMs = 0
    override concerns(path: string) {
      return path.includes(part)
    }
  }
  const report = await world.run(await world.open(AtOnce), ['K33'])
  expect(resultOf(report, 'K33')).toMatchObject({ verdict: 'WARN', finding: { defect: 'impatient' } })
})

test.concurrent.each([
  ['create calls', 'create-order'],
  ['lookups', '/client/orders'],
])('warns of one that repeats %s too early', async (_what, part) => {
  class Early extends Impatient {
    override concerns(path: string) {
      return path.includes(part)
    }
  }
  const report = await world.run(await world.open(Early), ['K33'])
  expect(resultOf(report, 'K33')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'impatient', did: expect.stringContaining(part) },
  })
})

test.concurrent('is not seen without a start call', async () => {
  const report = await world.run(await world.open(ModelShop), ['K33'], { start: undefined })
  expect(resultOf(report, 'K33').verdict).toBe('NOT-SEEN')
})
