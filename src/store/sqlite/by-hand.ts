import type { Store } from '../store.ts'
import { attemptWriter } from './attempts.ts'
import type { Connection } from './connection.ts'
import { deliveryAdder } from './deliveries.ts'

/** Deliveries that are sent by hand: never pending, so that nothing else ever sends them. */
export function byHandVerbs(connection: Connection): Pick<Store, 'addByHand' | 'finishByHand'> {
  const { sqlite, write } = connection
  const add = deliveryAdder(connection)
  const { begin, end } = attemptWriter(connection)
  const begun = sqlite
    .prepare<[number, string, string], number>(
      `update deliveries set status = 'dead', attempt = ?, url = ? where id = ? returning seq`,
    )
    .pluck()
  // One that has been sent again meanwhile is the queue's, which knows best how it stands.
  const settle = sqlite
    .prepare<[string, string], number>(
      `update deliveries
       set status = case when ? = 'accepted' and status = 'dead' then 'delivered' else status end
       where id = ? returning seq`,
    )
    .pluck()

  return {
    addByHand: (delivery, { copies, ...sent }) =>
      write(() => {
        add(delivery)
        const seq = begun.get(copies, sent.url, delivery.id)
        if (seq === undefined) throw new Error(`delivery ${delivery.id} was added and is not there`)
        for (let n = 1; n <= copies; n++) begin(seq, n, sent)
      }),

    finishByHand: (deliveryId, attempt, result) =>
      write(() => {
        const seq = settle.get(result.outcome, deliveryId)
        if (seq !== undefined) end(seq, attempt, result)
      }),
  }
}
