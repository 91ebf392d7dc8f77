import type { Store } from '../store.ts'
import { attemptWriter } from './attempts.ts'
import type { Connection } from './connection.ts'
import { deliveryAdder } from './deliveries.ts'
import { deliveryFinder } from './delivery-ids.ts'

/** Deliveries that are sent by hand: never pending, so that nothing else ever sends them. */
export function byHandVerbs(connection: Connection): Pick<Store, 'addByHand' | 'finishByHand'> {
  const { sqlite, write } = connection
  const add = deliveryAdder(connection)
  const seqOf = deliveryFinder(sqlite)
  const { begin, end } = attemptWriter(connection)
  const begun = sqlite.prepare<[number, string, number]>(
    `update deliveries set status = 'dead', attempt = ?, url = ? where seq = ?`,
  )
  // One that has been sent again meanwhile is the queue's, which knows best how it stands.
  const settle = sqlite.prepare<[string, number]>(
    `update deliveries
     set status = case when ? = 'accepted' and status = 'dead' then 'delivered' else status end
     where seq = ?`,
  )

  return {
    addByHand: (delivery, { copies, ...sent }) =>
      write(() => {
        const seq = add(delivery)
        begun.run(copies, sent.url, seq)
        for (let n = 1; n <= copies; n++) begin(seq, n, sent)
      }),

    finishByHand: (deliveryId, attempt, result) =>
      write(() => {
        const seq = seqOf(deliveryId)
        if (seq === undefined) return
        settle.run(result.outcome, seq)
        end(seq, attempt, result)
      }),
  }
}
