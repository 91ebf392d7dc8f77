import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../compare.ts'
import { shownOrder } from '../observed.ts'
import type { ClientId } from '../world.ts'

interface Payment {
  readonly client: ClientId
  /** Which of the client's orders, from the newest; counted round. */
  readonly back: number
  readonly outcome: 'completed' | 'failed' | 'abandoned'
  readonly errorCode: string
}

/** The payer's act on one of the latest orders. */
export const pay: Kind<Payment> = {
  name: 'pay',
  weight: 6,
  parameters: fc.record({
    client: anyClient,
    back: fc.nat(3),
    outcome: fc.constantFrom('completed', 'completed', 'failed', 'abandoned'),
    errorCode: fc.constantFrom('9004', '9005'),
  }),
  words: ({ client, back, outcome }) => `${client} the newest order but ${back}: ${outcome}`,
  act: async ({ sides, bench }, { client, back, outcome, errorCode }) => {
    const { model } = sides[client]
    const order = model.orders.at(-1 - (back % Math.max(1, model.orders.length)))
    if (order === undefined) return
    const { orderId } = await shownOrder(bench, order)
    const answer = await bench.send(`/_emulator/orders/${orderId}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { outcome, ...(outcome === 'failed' ? { errorCode } : {}) },
    })
    same([`${answer.status}`], [model.pay(order, outcome, errorCode) ? '200' : '409'])
  },
}
