import type { AttemptResult } from '../../domain/delivery.ts'
import type { EpochMs } from '../../domain/time.ts'
import type { Store } from '../store.ts'
import { isCurrent } from './clients.ts'
import type { Connection } from './connection.ts'
import { addDelivery } from './deliveries.ts'

// The latest attempt of a delivery stands in its row, which is written when an attempt begins and when it ends anyway; and
// most deliveries have no other. One that is followed by another moves into a row of its own.

/** How attempts end, and those that are sent by hand. */
export function attemptVerbs(connection: Connection) {
  const { run, value, write } = connection
  return {
    addByHand: (delivery, { copies, ...sent }, generation) =>
      write(() => {
        const seq = addDelivery(connection, delivery, generation)
        // Never pending, so that nothing else ever sends it.
        run(`update deliveries set status = 'dead' where seq = ?`, seq)
        for (let n = 1; n <= copies; n++) beginAttempt(connection, seq, { ...sent, inFlight: 0 })
      }),

    finishByHand: ({ deliveryId, clientId, generation, attempt, result }) =>
      write(() => {
        if (!isCurrent(connection, clientId, generation)) return false
        const find = 'select seq from deliveries where id = +? and client_id = +?'
        const seq = value<number>(find, deliveryId, clientId)
        if (seq === undefined) return false
        // One that has been sent again meanwhile is the queue's, which knows best how it stands.
        if (result.outcome === 'accepted')
          run(`update deliveries set status = 'delivered' where seq = ? and status = 'dead'`, seq)
        const ended = { ...endOf(result), seq, n: attempt }
        if (run(latestEnded, ended) === 0) run(earlierEnded, ended)
        return true
      }),

    finishAttempt: ({ deliveryId: id, clientId, generation, attempt: n, result }) =>
      write(() => {
        if (!isCurrent(connection, clientId, generation)) return false
        const { next } = result
        const dueAt = next.status === 'pending' ? next.dueAt : null
        return run(settled, { ...endOf(result), next: next.status, dueAt, id, clientId, n }) > 0
      }),
  } satisfies Partial<Store>
}

const ended = `
  outcome = :outcome, answer_status = :status, attempt_ms = :ms, request_headers = :requestHeaders,
  response_body = :responseBody, attempt_error = :error`

const latestEnded = `update deliveries set ${ended} where seq = :seq and attempt = :n`

const earlierEnded = `
  update attempts set outcome = :outcome, status = :status, ms = :ms, request_headers = :requestHeaders,
    response_body = :responseBody, error = :error
  where delivery_seq = :seq and n = :n`

const settled = `
  update deliveries set in_flight = 0, blocking = 0, released = 0, status = :next,
    due_at = coalesce(:dueAt, due_at), ${ended}
  where id = +:id and client_id = +:clientId and in_flight = 1 and attempt = +:n`

const endOf = ({ next: _, ...result }: AttemptResult) => ({
  ...result,
  requestHeaders: JSON.stringify(result.requestHeaders),
})

/** What is known of an attempt that begins. */
interface Begun {
  /** Not for what is sent by hand: it may be in several attempts at once. */
  readonly inFlight: 0 | 1
  readonly url: string
  readonly at: EpochMs
  readonly wallAt: EpochMs
}

/** Begins a delivery's next attempt, part of a write. It is written as `unknown`, because that is what it is, should the
 *  process end before it does. */
export function beginAttempt({ run }: Connection, seq: number, begun: Begun): void {
  run(latestMoved, seq)
  run(latestBegun, { ...begun, seq })
}

const latestMoved = `
  insert into attempts
    (delivery_seq, n, at, wall_at, url, outcome, status, ms, request_headers, response_body, error)
  select seq, attempt, attempt_at, attempt_wall_at, url, outcome, answer_status, attempt_ms, request_headers,
    response_body, attempt_error
  from deliveries where seq = ? and outcome is not null`

const latestBegun = `
  update deliveries set in_flight = :inFlight, attempt = attempt + 1, url = :url, attempt_at = :at,
    attempt_wall_at = :wallAt, outcome = 'unknown', answer_status = null, attempt_ms = null,
    request_headers = '{}', response_body = null, attempt_error = null
  where seq = :seq`
