import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

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
