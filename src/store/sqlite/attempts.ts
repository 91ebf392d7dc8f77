import type { AttemptResult } from '../../domain/delivery.ts'
import type { EpochMs } from '../../domain/time.ts'
import type { Connection } from './connection.ts'
import { inserter } from './rows.ts'
import { attempts } from './schema.ts'

/** Writes attempts, as part of a write: as `unknown` before they are sent, and how they ended. */
export function attemptWriter({ sqlite }: Connection) {
  const insert = inserter(sqlite, attempts)
  const finish = sqlite.prepare<
    [string, number | null, number, string, string | null, string | null, number, number]
  >(
    `update attempts set outcome = ?, status = ?, ms = ?, request_headers = ?, response_body = ?, error = ?
     where delivery_seq = ? and n = ?`,
  )
  return {
    begin: (deliverySeq: number, n: number, sent: { at: EpochMs; wallAt: EpochMs; url: string }): void =>
      void insert({ deliverySeq, n, ...sent, ...unknown }),

    end: (deliverySeq: number, n: number, result: AttemptResult): void => {
      const { outcome, status, ms, requestHeaders, responseBody, error } = result
      finish.run(outcome, status, ms, JSON.stringify(requestHeaders), responseBody, error, deliverySeq, n)
    },
  }
}

/** An attempt of which nothing is known yet. */
const unknown = {
  outcome: 'unknown',
  status: null,
  ms: null,
  requestHeaders: {},
  responseBody: null,
  error: null,
} as const
