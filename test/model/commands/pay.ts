import fc from 'fast-check'
import type { Kind } from '../command.ts'
import { same } from '../difference.ts'
import { shownOrder } from '../observed.ts'
import { anyPick, type Pick, picked, pickWords } from './pick.ts'

interface Payment {
  readonly pick: Pick
  readonly outcome: 'completed' | 'failed' | 'abandoned'
  readonly errorCode: string
}

/** The payer's act on one of the latest orders. */
export const pay: Kind<Payment> = {
  name: 'pay',
  weight: 6,
  parameters: fc.record({
    pick: anyPick({ yes: 0, no: 7 }),
    outcome: fc.constantFrom('completed', 'completed', 'failed', 'abandoned'),
    errorCode: fc.constantFrom('9004', '9005'),
  }),
  words: ({ pick, outcome }) => `${pickWords(pick)}: ${outcome}`,
  act: async (world, { pick, outcome, errorCode }) => {
    const order = picked(world, pick)
    if (order === undefined) return
    const { orderId } = await shownOrder(world.bench, order)
    const answer = await world.bench.send(`/_emulator/orders/${orderId}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { outcome, ...(outcome === 'failed' ? { errorCode } : {}) },
    })
    const { model } = world.sides[pick.client]
    same([`${answer.status}`], [model.pay(order, outcome, errorCode) ? '200' : '409'])
  },
}
