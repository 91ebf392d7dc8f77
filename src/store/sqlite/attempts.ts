import type { EpochMs } from '../../domain/text/time.ts'
import type { AttemptResult } from '../../domain/webhook/delivery.ts'
import type { Store } from '../store.ts'
import { isCurrent } from './clients.ts'
import { addDelivery } from './deliveries.ts'
import type { Connection } from './writer.ts'

// The latest attempt of a delivery is part of its row, which is written anyway when an attempt starts and ends; most
// deliveries have one attempt. When another attempt follows, the earlier one moves into a row of its own.

/** The verbs that end attempts, and those for deliveries sent by hand. */
export function attemptVerbs(connection: Connection) {
  const { run, value, write } = connection
  return {
    addByHand: (delivery, { copies, ...sent }, generation) =>
      write(() => {
        const seq = addDelivery(connection, delivery, generation)
        // Never pending, so that the queue does not send it.
        run(`update deliveries set status = 'dead' where seq = ?`, seq)
        for (let n = 1; n <= copies; n++) beginAttempt(connection, seq, { ...sent, inFlight: 0 })
      }),

    finishByHand: ({ deliveryId, clientId, generation, attempt, result }) =>
      write(() => {
        if (!isCurrent(connection, clientId, generation)) return false
        const find = 'select seq from deliveries where id = +? and client_id = +?'
        const seq = value<number>(find, deliveryId, clientId)
        if (seq === undefined) return false
        // A delivery that was sent again belongs to the queue, which knows its status best.
        if (result.outcome === 'accepted')
          run(`update deliveries set status = 'delivered' where seq = ? and status = 'dead'`, seq)
        const ended = { ...endOf(result), seq, n: attempt }
        if (run(latestEnded, ended) === 0) run(earlierEnded, ended)
        return true
      }),

    finishAttempt: ({ deliveryId: id, batch, clientId, generation, attempt: n, result, endpoint }) =>
      write(() => {
        if (!isCurrent(connection, clientId, generation)) return false
        const { next } = result
        const dueAt = next.status === 'pending' ? next.dueAt : null
        const end = { ...endOf(result), next: next.status, dueAt, clientId, n }
        const changed =
          batch === undefined ? run(settled, { ...end, id }) : run(settledTogether, { ...end, batch })
        if (changed === 0) return false
        if (endpoint !== undefined)
          run(endpointChanged, { ...endpoint, webhookPaused: Number(endpoint.webhookPaused), clientId })
        return true
      }),
  } satisfies Partial<Store>
}

const endpointChanged = `
  update clients set webhook_paused = :webhookPaused, paused_after = :pausedAfter, failed_in_a_row = :failedInARow
  where client_id = +:clientId`

const ended = `
  outcome = :outcome, answer_status = :status, attempt_ms = :ms, request_headers = :requestHeaders,
  response_body = :responseBody, attempt_error = :error`

const latestEnded = `update deliveries set ${ended} where seq = :seq and attempt = :n`

const earlierEnded = `
  update attempts set outcome = :outcome, status = :status, ms = :ms, request_headers = :requestHeaders,
    response_body = :responseBody, error = :error
  where delivery_seq = :seq and n = :n`

const settledOf = (which: string) => `
  update deliveries set in_flight = 0, blocking = 0, released = 0, status = :next,
    due_at = coalesce(:dueAt, due_at), ${ended}
  where ${which} and client_id = +:clientId and in_flight = 1 and attempt = +:n`

const settled = settledOf('id = +:id')
const settledTogether = settledOf('batch = +:batch')

const endOf = ({ next: _, ...result }: AttemptResult) => ({
  ...result,
  requestHeaders: JSON.stringify(result.requestHeaders),
})

/** The data of an attempt that are stored before it is sent. */
export interface Begun {
  /** 0 for a delivery sent by hand, which may have several attempts at once. */
  readonly inFlight: 0 | 1
  readonly url: string
  readonly at: EpochMs
  readonly wallAt: EpochMs
}

/** Starts a delivery's next attempt, as part of a write. It is `unknown` until its end, and stays so if the process
 *  dies. */
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
