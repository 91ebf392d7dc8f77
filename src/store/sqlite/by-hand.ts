import type { Store } from '../store.ts'
import { attemptBegun, attemptEnded, type BegunAttempt, endedParameters, latestMover } from './attempts.ts'
import type { Connection } from './connection.ts'
import { deliveryAdder, deliveryFinder } from './deliveries.ts'
import { refuseEnded } from './ended.ts'

/** Deliveries that are sent by hand: never pending, so that nothing else ever sends them. */
export function byHandVerbs(connection: Connection): Pick<Store, 'addByHand' | 'finishByHand'> {
  const { sqlite, write } = connection
  const add = deliveryAdder(connection)
  const seqOf = deliveryFinder(sqlite)
  const moveLatest = latestMover(connection)
  const begin = sqlite.prepare<BegunAttempt & { seq: number }>(
    `update deliveries set status = 'dead', ${attemptBegun} where seq = :seq`,
  )
  // One that has been sent again meanwhile is the queue's, which knows best how it stands.
  const settle = sqlite.prepare<{ outcome: string; seq: number }>(
    `update deliveries
     set status = case when :outcome = 'accepted' and status = 'dead' then 'delivered' else status end
     where seq = :seq`,
  )
  type Ended = ReturnType<typeof endedParameters> & { seq: number; n: number }
  const endLatest = sqlite.prepare<Ended>(
    `update deliveries set ${attemptEnded} where seq = :seq and attempt = :n`,
  )
  const endEarlier = sqlite.prepare<Ended>(
    `update attempts set outcome = :outcome, status = :status, ms = :ms, request_headers = :requestHeaders,
       response_body = :responseBody, error = :error
     where delivery_seq = :seq and n = :n`,
  )

  return {
    addByHand: (delivery, { copies, ...sent }, life) =>
      write(() => {
        refuseEnded(life)
        const seq = add(delivery)
        for (let n = 1; n <= copies; n++) {
          moveLatest(seq)
          begin.run({ ...sent, seq })
        }
      }),

    finishByHand: (deliveryId, attempt, result, life) =>
      write(() => {
        const seq = life?.ended ? undefined : seqOf(deliveryId)
        if (seq === undefined) return false
        settle.run({ outcome: result.outcome, seq })
        const ended = { ...endedParameters(result), seq, n: attempt }
        if (endLatest.run(ended).changes === 0) endEarlier.run(ended)
        return true
      }),
  }
}
