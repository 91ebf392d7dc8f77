import type { Store } from '../store.ts'
import { attemptBegun, attemptEnded, begunValues, endedValues, latestMover } from './attempts.ts'
import type { Connection } from './connection.ts'
import { deliveryAdder } from './deliveries.ts'
import { deliveryFinder } from './delivery-ids.ts'
import { refuseEnded } from './ended.ts'

/** Deliveries that are sent by hand: never pending, so that nothing else ever sends them. */
export function byHandVerbs(connection: Connection): Pick<Store, 'addByHand' | 'finishByHand'> {
  const { sqlite, write } = connection
  const add = deliveryAdder(connection)
  const seqOf = deliveryFinder(sqlite)
  const moveLatest = latestMover(connection)
  const begin = sqlite.prepare<[...ReturnType<typeof begunValues>, number]>(
    `update deliveries set status = 'dead', ${attemptBegun} where seq = ?`,
  )
  // One that has been sent again meanwhile is the queue's, which knows best how it stands.
  const settle = sqlite.prepare<[string, number]>(
    `update deliveries
     set status = case when ? = 'accepted' and status = 'dead' then 'delivered' else status end
     where seq = ?`,
  )
  const endLatest = sqlite.prepare<[...ReturnType<typeof endedValues>, number, number]>(
    `update deliveries set ${attemptEnded} where seq = ? and attempt = ?`,
  )
  const endEarlier = sqlite.prepare<[...ReturnType<typeof endedValues>, number, number]>(
    `update attempts set outcome = ?, status = ?, ms = ?, request_headers = ?, response_body = ?, error = ?
     where delivery_seq = ? and n = ?`,
  )

  return {
    addByHand: (delivery, { copies, ...sent }, life) =>
      write(() => {
        refuseEnded(life)
        const seq = add(delivery)
        for (let n = 1; n <= copies; n++) {
          moveLatest(seq)
          begin.run(...begunValues(sent), seq)
        }
      }),

    finishByHand: (deliveryId, attempt, result, life) =>
      write(() => {
        const seq = life?.ended ? undefined : seqOf(deliveryId)
        if (seq === undefined) return false
        settle.run(result.outcome, seq)
        const values = endedValues(result)
        if (endLatest.run(...values, seq, attempt).changes === 0) endEarlier.run(...values, seq, attempt)
        return true
      }),
  }
}
