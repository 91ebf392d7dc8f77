import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../compare.ts'
import type { ModelRequest } from '../model-order.ts'
import { scriptIds } from '../scripts.ts'
import type { ClientId, World } from '../world.ts'

export type Wanted = ModelRequest & { readonly client: ClientId }

/** Few requestIds, so that some come twice; the same ones for both clients. */
export const anyOrder: fc.Arbitrary<Wanted> = fc.record({
  client: anyClient,
  requestId: fc.nat(19).map((n) => `r${n}`),
  script: fc.constantFrom(...scriptIds),
  page: fc.nat(3).map((n) => n === 0),
  trialDays: fc.constantFrom(null, null, null, 0, 3),
})

export const create: Kind<Wanted> = {
  name: 'create',
  weight: 16,
  parameters: anyOrder,
  words: orderWords,
  act: createOrder,
}

export function orderWords({ client, requestId, script, page, trialDays }: Wanted): string {
  const kind = trialDays === null ? '' : ` subscription with ${trialDays} days for trial`
  return `${client} ${requestId} ${script}${kind}${page ? ' with a page' : ''}`
}

/** Creates the order, or is refused because its requestId is taken. */
export async function createOrder(world: World, wanted: Wanted): Promise<void> {
  const { model } = world.sides[wanted.client]
  const taken = model.orders.some((order) => order.requestId === wanted.requestId)
  same([await sendCreate(world, wanted)], [taken ? 'taken' : 'created'])
  if (!taken) model.create(wanted)
}

/** @returns `created`, `taken`, or an answer that is neither */
export async function sendCreate({ sides }: World, wanted: Wanted): Promise<string> {
  const { client, requestId, script, page, trialDays } = wanted
  const { real } = sides[client]
  const mode = page ? { mode: 'returnUrl' } : {}
  const headers = { 'emulator-scenario': script }
  const trial = { fiatAmount: '10.00', trialPeriodDays: `${trialDays}` }
  const { status, text } = await (trialDays === null
    ? real.createCheckout(real.checkout(requestId, mode), { headers })
    : real.createSubscription(real.subscription(requestId, { ...trial, ...mode }), { headers }))
  if (status === 200) return 'created'
  const taken = '{"error":{"code":"7001","message":"Order already exists for given requestId"}}'
  return status === 401 && text === taken ? 'taken' : `${status} ${text}`
}
