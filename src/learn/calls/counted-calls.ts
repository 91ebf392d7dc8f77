import type { Operation } from '../../domain/journal/entry.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { isAccepted, isVerificationFailure } from './answers.ts'
import { issuedTokens } from './issued-tokens.ts'

/** A call that a rate limit can count. */
export interface CountedCall {
  readonly exchange: Exchange
  readonly operation: Operation
  readonly at: number
  /** How long the call took: the service counted it within this time. */
  readonly ms: number
  /** The access token; empty for a token call. */
  readonly token: string
  readonly isRefused: boolean
  /** The seconds of `Retry-After`; null without one. */
  readonly retryAfter: number | null
}

/** Refused before anything counts them: the path, the method, the type and the size of the body come first. */
const beforeLimits: readonly (number | null)[] = [404, 405, 413, 415]

/** The calls that can count, oldest first, by account. */
export function countedCalls(evidence: Evidence): ReadonlyMap<string, readonly CountedCall[]> {
  const accounts = accountsOfTokens(evidence)
  const ofTokens = evidence.tokenCalls.flatMap((call) => {
    const clientId = call.token === null ? undefined : accounts.get(call.token)
    return clientId === undefined ? [] : [{ clientId, counted: counted(call, 'access-token', '') }]
  })
  const ofCalls = evidence.calls.flatMap((call) => {
    const { operation, headers, method } = call
    // A call that forgets its clientId counts for the account of its token.
    const clientId = call.clientId ?? accounts.get(headers['access-token'] ?? '') ?? null
    // A lookup with this answer had a wrong token. A create call may have had a wrong signature only.
    const isStrange = isVerificationFailure(call) && method === 'GET'
    if (clientId === null || isStrange || beforeLimits.includes(call.status)) return []
    return [{ clientId, counted: counted(call, operation, headers['access-token'] ?? '') }]
  })
  const all = [...ofTokens, ...ofCalls].toSorted((a, b) => a.counted.at - b.counted.at)
  const groups = Map.groupBy(all, ({ clientId }) => clientId)
  return new Map([...groups].map(([clientId, each]) => [clientId, each.map(({ counted }) => counted)]))
}

/** The accounts of tokens, by the calls with them: accepted ones decide. */
function accountsOfTokens(evidence: Evidence): ReadonlyMap<string, string> {
  const issued = issuedTokens(evidence).flatMap(({ token, clientId }): [string, string][] =>
    clientId === null ? [] : [[token, clientId]],
  )
  const accepted = evidence.calls.flatMap((call): [string, string][] => {
    const { headers, clientId } = call
    const token = headers['access-token']
    return token === undefined || clientId === null || !isAccepted(call) ? [] : [[token, clientId]]
  })
  return new Map([...issued, ...accepted])
}

function counted(exchange: Exchange, operation: Operation, token: string): CountedCall {
  const seconds = exchange.responseHeaders['retry-after'] ?? ''
  return {
    exchange,
    operation,
    at: exchange.at,
    ms: exchange.ms ?? 1000,
    token,
    isRefused: exchange.status === 429,
    retryAfter: /^\d{1,9}$/.test(seconds) ? Number(seconds) : null,
  }
}
