import fc from 'fast-check'
import type { Kind } from '../command.ts'
import { same } from '../difference.ts'
import { scriptOf } from '../scripts.ts'
import { ordersOf, orderWords, type Wanted } from './create.ts'

/** An order of any kind, made by hand. Its first webhook waits for no answer. */
export const make: Kind<Wanted> = {
  name: 'make',
  weight: 5,
  parameters: fc
    .tuple(
      ordersOf('checkout', 'subscription', 'payout', 'crypto-payin'),
      fc.constantFrom('WEEKLY', 'MONTHLY', 'QUARTERLY'),
    )
    .map(([wanted, interval]) => ({ ...wanted, interval })),
  words: orderWords,
  act: async ({ bench, sides }, wanted) => {
    const { client, requestId, kind, script, fiatAmount, page, trialDays, interval } = wanted
    const { model } = sides[client]
    const { status } = await bench.send(`/_emulator/orders?clientId=${client}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: {
        ...{ requestId, kind, scenario: script, fiatAmount },
        ...(page ? { mode: 'returnUrl' } : {}),
        ...(kind === 'subscription' ? { interval } : {}),
        ...(trialDays === null ? {} : { trialPeriodDays: `${trialDays}` }),
      },
    })
    // Here a scenario for another kind is always a mistake.
    const expected = !scriptOf(script).serves(kind) ? 400 : model.has(requestId) ? 409 : 201
    same([`${status}`], [`${expected}`])
    if (expected === 201) model.create(wanted)
  },
}
