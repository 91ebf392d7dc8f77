import type { AttemptResult } from '../../domain/delivery.ts'
import type { EpochMs } from '../../domain/time.ts'
import type { Connection } from './connection.ts'

/** Writes attempts, as part of a write: as `unknown` before they are sent, and how they ended. */
export function attemptWriter({ sqlite }: Connection) {
  const insert = sqlite.prepare<[number, number, number, number, string]>(
    `insert into attempts (delivery_seq, n, at, wall_at, url, outcome, request_headers)
     values (?, ?, ?, ?, ?, 'unknown', '{}')`,
  )
  const finish = sqlite.prepare<
    [string, number | null, number, string, string | null, string | null, number, number]
  >(
    `update attempts set outcome = ?, status = ?, ms = ?, request_headers = ?, response_body = ?, error = ?
     where delivery_seq = ? and n = ?`,
  )
  return {
    begin: (deliverySeq: number, n: number, sent: { at: EpochMs; wallAt: EpochMs; url: string }): void =>
      void insert.run(deliverySeq, n, sent.at, sent.wallAt, sent.url),

    end: (deliverySeq: number, n: number, result: AttemptResult): void => {
      const { outcome, status, ms, requestHeaders, responseBody, error } = result
      finish.run(outcome, status, ms, JSON.stringify(requestHeaders), responseBody, error, deliverySeq, n)
    },
  }
}
