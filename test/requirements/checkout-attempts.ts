import { expect } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus } from '../support/expect.ts'

/** Creates an order whose body differs from the smallest right one, and expects 200. */
export async function created(changes: JsonObject, settings: object = {}): Promise<JsonObject> {
  const { c1 } = await startFixture({ settings })
  const answer = await c1.createCheckout(c1.checkout('r1', changes))
  expectStatus(answer, 200)
  return answer.json
}

export async function expectAccepted(changes: JsonObject, settings: object = {}): Promise<void> {
  await created(changes, settings)
}

/** Creates an order likewise, and expects that `field` is found wrong and that no order is stored. */
export async function expectRefused(changes: JsonObject, field: string, settings: object = {}) {
  const { c1, emulator } = await startFixture({ settings })
  expectInvalid(await c1.createCheckout(c1.checkout('r1', changes)), field)
  expect((await emulator.control('/orders')).items).toEqual([])
}
