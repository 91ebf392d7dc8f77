import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../compare.ts'
import { type ScriptId, scriptIds } from '../scripts.ts'
import type { ClientId, World } from '../world.ts'

export interface Wanted {
  readonly client: ClientId
  readonly requestId: string
  readonly script: ScriptId
  /** The order has a payment page, so the payer pays. */
  readonly page: boolean
}

/** Few requestIds, so that some come twice; the same ones for both clients. */
export const anyOrder: fc.Arbitrary<Wanted> = fc.record({
  client: anyClient,
  requestId: fc.nat(19).map((n) => `r${n}`),
  script: fc.constantFrom(...scriptIds),
  page: fc.nat(3).map((n) => n === 0),
})

export const create: Kind<Wanted> = {
  name: 'create',
  weight: 16,
  parameters: anyOrder,
  words: orderWords,
  act: createOrder,
}

export function orderWords({ client, requestId, script, page }: Wanted): string {
  return `${client} ${requestId} ${script}${page ? ' with a page' : ''}`
}

/** Creates the order, or is refused because its requestId is taken. */
export async function createOrder(world: World, { client, requestId, script, page }: Wanted): Promise<void> {
  const { real, model } = world.sides[client]
  const taken = model.orders.some((order) => order.requestId === requestId)
  const body = real.checkout(requestId, page ? { mode: 'returnUrl' } : {})
  const { status, text } = await real.createCheckout(body, {
    headers: { signature: real.sign(`fiatAmount=10.00&requestId=${requestId}`), 'emulator-scenario': script },
  })
  const refusal = '401 {"error":{"code":"7001","message":"Order already exists for given requestId"}}'
  same([`${status} ${status === 200 ? 'created' : text}`], [taken ? refusal : '200 created'])
  if (!taken) model.create(requestId, script, page)
}
