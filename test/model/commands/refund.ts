import fc from 'fast-check'
import type { Kind } from '../command.ts'
import { same } from '../difference.ts'
import { amountOf, leftOf } from '../money.ts'
import { shownOrder } from '../observed.ts'
import { anyPick, type Pick, picked, pickWords } from './pick.ts'

interface Refunding {
  readonly pick: Pick
  /** Of what is left: a cent, a third, all, or more than that. */
  readonly part: 'a cent' | 'a third' | 'all' | 'too much'
  /** With which it fails, if it does; null for the code that holds without one. */
  readonly errorCode: string | null | undefined
}

/** Gives something back of one of the latest orders. */
export const refund: Kind<Refunding> = {
  name: 'refund',
  weight: 6,
  parameters: fc.record({
    pick: anyPick({ yes: 7, no: 1 }),
    part: fc.constantFrom('a cent', 'a third', 'a third', 'all', 'too much'),
    errorCode: fc.constantFrom(undefined, undefined, null, '9004', '9005'),
  }),
  words: ({ pick, part, errorCode }) =>
    `${pickWords(pick)}: ${part}${errorCode === undefined ? '' : `, failed ${errorCode}`}`,
  act: async (world, { pick, part, errorCode }) => {
    const order = picked(world, pick)
    if (order === undefined) return
    const left = leftOf(order)
    const cents = { 'a cent': 1, 'a third': left / 3, all: left, 'too much': left + 1 }[part]
    const fiatAmount = amountOf(Math.max(1, Math.floor(cents)))
    const { orderId } = await shownOrder(world.bench, order)
    const answer = await world.bench.send(`/_emulator/orders/${orderId}/refunds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: {
        fiatAmount,
        ...(errorCode === undefined ? {} : { outcome: 'failed' }),
        ...(typeof errorCode === 'string' ? { errorCode } : {}),
      },
    })
    const { model } = world.sides[pick.client]
    const done = model.refund(order, fiatAmount, errorCode === null ? '9006.1' : errorCode)
    same([`${answer.status}`], [done ? '201' : '409'])
  },
}
