import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import { faultStatus } from '../model-faults.ts'
import type { ModelRequest } from '../model-order.ts'
import type { OrderKind } from '../script.ts'
import { type ScriptId, scriptIds, scriptOf } from '../scripts.ts'
import type { ClientId, World } from '../world.ts'

export type Wanted = ModelRequest & { readonly client: ClientId }

/** Orders of some kinds. Few requestIds, so that some come twice; the same ones for both clients. */
export function ordersOf(...kinds: readonly OrderKind[]): fc.Arbitrary<Wanted> {
  return fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      client: anyClient,
      requestId: fc.nat(19).map((n) => `r${n}`),
      kind: fc.constant(kind),
      script: scriptsFor(kind),
      fiatAmount: fc.constantFrom('10.00', '10', '0.07', '1234.5'),
      page: fc.nat(3).map((n) => n === 0),
      trialDays: kind === 'subscription' ? fc.constantFrom(null, null, null, 0, 3, 45) : fc.constant(null),
      interval: fc.constant('MONTHLY'),
    }),
  )
}

/** Mostly those that serve the kind; for a subscription mostly those that charge. */
function scriptsFor(kind: OrderKind): fc.Arbitrary<ScriptId> {
  const serving = scriptIds.filter((id) => scriptOf(id).serves(kind))
  const charging = serving.filter((id) => kind !== 'subscription' || scriptOf(id).charges.length > 0)
  return fc.oneof(
    { arbitrary: fc.constantFrom(...charging), weight: 6 },
    { arbitrary: fc.constantFrom(...serving), weight: 3 },
    { arbitrary: fc.constantFrom(...scriptIds), weight: 1 },
  )
}

/** The orders that an application can create. */
export const anyOrder = ordersOf('checkout', 'subscription')

export const create: Kind<Wanted> = {
  name: 'create',
  weight: 16,
  parameters: anyOrder,
  words: orderWords,
  act: createOrder,
}

export function orderWords(wanted: Wanted): string {
  const { client, requestId, kind, script, fiatAmount, page, trialDays, interval } = wanted
  const trial = trialDays === null ? '' : ` with ${trialDays} days for trial`
  const often = kind === 'subscription' ? ` ${interval}` : ''
  return `${client} ${requestId} ${script}, ${kind}${often} of ${fiatAmount}${trial}${page ? ' with a page' : ''}`
}

/** Creates the order, or is refused because its requestId is taken, or meets a fault. */
export async function createOrder(world: World, wanted: Wanted): Promise<void> {
  const { model } = world.sides[wanted.client]
  const faulty = (when: 'unchecked' | 'before' | 'stored') =>
    world.faults.meet({ on: 'create-order', when }, wanted, model.now)
  const taken = model.has(wanted.requestId)
  const refused = faulty('unchecked') ? 'faulty' : taken ? 'taken' : faulty('before') ? 'faulty' : null
  const answer = refused ?? (faulty('stored') ? 'faulty' : 'created')
  same([await sendCreate(world, wanted)], [answer])
  if (refused === null) model.create(wanted)
}

/** @returns `created`, `taken`, `faulty`, or an answer that is none of these */
export async function sendCreate({ sides }: World, wanted: Wanted): Promise<string> {
  const { client, requestId, kind, script, fiatAmount, page, trialDays } = wanted
  const { real } = sides[client]
  const members = { fiatAmount, ...(page ? { mode: 'returnUrl' } : {}) }
  const headers = { 'emulator-scenario': script }
  const trial = trialDays === null ? {} : { trialPeriodDays: `${trialDays}` }
  const { status, text } = await (kind === 'subscription'
    ? real.createSubscription(real.subscription(requestId, { ...trial, ...members }), { headers })
    : real.createCheckout(real.checkout(requestId, members), { headers }))
  if (status === 200) return 'created'
  if (status === faultStatus) return 'faulty'
  const taken = '{"error":{"code":"7001","message":"Order already exists for given requestId"}}'
  return status === 401 && text === taken ? 'taken' : `${status} ${text}`
}
