import fc from 'fast-check'
import { isObject } from '../../support/answer.ts'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import { shownOrder } from '../observed.ts'
import type { ClientId } from '../world.ts'

interface Resending {
  readonly client: ClientId
  /** Which of the client's orders, from the newest; counted round. */
  readonly back: number
  /** Which of its events, from the last; counted round. */
  readonly eventBack: number
}

/** Sends an event of one of the latest orders again, whatever became of it. */
export const resend: Kind<Resending> = {
  name: 'resend',
  weight: 4,
  parameters: fc.record({ client: anyClient, back: fc.nat(5), eventBack: fc.nat(1) }),
  words: ({ client, back, eventBack }) =>
    `${client} the newest order but ${back}, the last event but ${eventBack}`,
  act: async ({ sides, bench }, { client, back, eventBack }) => {
    const { model } = sides[client]
    const order = model.orders.at(-1 - (back % Math.max(1, model.orders.length)))
    if (order === undefined || order.deliveries.length === 0) return
    const place = order.deliveries.length - 1 - (eventBack % order.deliveries.length)
    const delivery = order.deliveries[place]
    const ids = (await shownOrder(bench, order)).deliveries
    if (delivery === undefined) throw new Error(`${order.requestId} has no events`)
    const answer = await bench.send(`/_emulator/deliveries/${ids[place]}/resend`, { method: 'POST' })
    const seen = isObject(answer.json.error) ? `${answer.status}` : `${answer.status} ${answer.json.status}`
    same([seen], [model.outbox.resend(delivery, model.now) ? '200 pending' : '409'])
  },
}
