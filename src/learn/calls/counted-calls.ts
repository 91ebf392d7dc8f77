import type { Operation } from '../../domain/journal/entry.ts'
import type { Evidence } from '../evidence/evidence.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { isVerificationFailure } from './answers.ts'
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
  const accounts = new Map<string, string>()
  for (const { token, clientId } of issuedTokens(evidence))
    if (clientId !== null) accounts.set(token, clientId)
  const ofTokens = evidence.tokenCalls.flatMap((call) => {
    const clientId = call.token === null ? undefined : accounts.get(call.token)
    return clientId === undefined ? [] : [{ clientId, counted: counted(call, 'access-token', '') }]
  })
  const ofCalls = evidence.calls.flatMap((call) => {
    const { clientId, operation, headers, method } = call
    // A lookup with this answer had a wrong token. A create call may have had a wrong signature only.
    const isStrange = isVerificationFailure(call) && method === 'GET'
    if (clientId === null || isStrange || beforeLimits.includes(call.status)) return []
    return [{ clientId, counted: counted(call, operation, headers['access-token'] ?? '') }]
  })
  const all = [...ofTokens, ...ofCalls].toSorted((a, b) => a.counted.at - b.counted.at)
  const groups = Map.groupBy(all, ({ clientId }) => clientId)
  return new Map([...groups].map(([clientId, each]) => [clientId, each.map(({ counted }) => counted)]))
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
