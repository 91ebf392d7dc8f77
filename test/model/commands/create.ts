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
export async function createOrder(world: World, wanted: Wanted): Promise<void> {
  const { requestId, script, page } = wanted
  const { model } = world.sides[wanted.client]
  const taken = model.orders.some((order) => order.requestId === requestId)
  same([await sendCreate(world, wanted)], [taken ? 'taken' : 'created'])
  if (!taken) model.create(requestId, script, page)
}

/** @returns `created`, `taken`, or an answer that is neither */
export async function sendCreate(
  { sides }: World,
  { client, requestId, script, page }: Wanted,
): Promise<string> {
  const { real } = sides[client]
  const body = real.checkout(requestId, page ? { mode: 'returnUrl' } : {})
  const signature = real.sign(`fiatAmount=10.00&requestId=${requestId}`)
  const { status, text } = await real.createCheckout(body, {
    headers: { signature, 'emulator-scenario': script },
  })
  if (status === 200) return 'created'
  const taken = '{"error":{"code":"7001","message":"Order already exists for given requestId"}}'
  return status === 401 && text === taken ? 'taken' : `${status} ${text}`
}
