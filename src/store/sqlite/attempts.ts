import type { Attempt, AttemptResult } from '../../domain/delivery.ts'
import type { EpochMs } from '../../domain/time.ts'
import type { Connection } from './connection.ts'
import type { deliveries } from './schema.ts'

// The latest attempt of a delivery stands in its row, which is written when an attempt begins and when it ends anyway; and
// most deliveries have no other. One that is followed by another moves into a row of its own.

/** What is known of an attempt that begins. */
export interface BegunAttempt {
  readonly url: string
  readonly at: EpochMs
  readonly wallAt: EpochMs
}

/** The beginning of a delivery's next attempt, as assignments of an update of its row with a `BegunAttempt` as parameters;
 *  `latestMover` comes before it. It is written as `unknown`, because that is what it is, should the process end before it
 *  does. */
export const attemptBegun = `
  attempt = attempt + 1, url = :url, attempt_at = :at, attempt_wall_at = :wallAt, outcome = 'unknown',
  answer_status = null, attempt_ms = null, request_headers = '{}', response_body = null, attempt_error = null`

/** The end of the latest attempt, as assignments with `endedParameters`. */
export const attemptEnded = `
  outcome = :outcome, answer_status = :status, attempt_ms = :ms, request_headers = :requestHeaders,
  response_body = :responseBody, attempt_error = :error`

/** What is written at the end of an attempt. */
export function endedParameters({ next: _, ...result }: AttemptResult) {
  return { ...result, requestHeaders: JSON.stringify(result.requestHeaders) }
}

/** Moves the latest attempt away for a delivery's next attempt, part of a write. */
export function latestMover({ sqlite }: Connection): (deliverySeq: number) => void {
  const move = sqlite.prepare<[number]>(
    `insert into attempts
       (delivery_seq, n, at, wall_at, url, outcome, status, ms, request_headers, response_body, error)
     select seq, attempt, attempt_at, attempt_wall_at, url, outcome, answer_status, attempt_ms, request_headers,
       response_body, attempt_error
     from deliveries where seq = ? and outcome is not null`,
  )
  return (deliverySeq) => void move.run(deliverySeq)
}

/** A delivery's latest attempt as columns of its row, beside `attempt`. */
export const latestColumns = (latest: Attempt | undefined) => ({
  url: latest?.url,
  attemptAt: latest?.at,
  attemptWallAt: latest?.wallAt,
  outcome: latest?.outcome,
  answerStatus: latest?.status,
  attemptMs: latest?.ms,
  requestHeaders: latest?.requestHeaders,
  responseBody: latest?.responseBody,
  attemptError: latest?.error,
})

/** The latest attempt of a stored delivery, if there is one. */
export function latestOf(row: typeof deliveries.$inferSelect): [] | [Attempt] {
  const { attempt: n, attemptAt: at, attemptWallAt: wallAt, url, outcome, requestHeaders } = row
  // All of them are there, or none.
  if (at === null || wallAt === null || url === null || outcome === null || requestHeaders === null) return []
  const { answerStatus: status, attemptMs: ms, responseBody, attemptError: error } = row
  return [{ n, at, wallAt, url, outcome, status, ms, requestHeaders, responseBody, error }]
}
