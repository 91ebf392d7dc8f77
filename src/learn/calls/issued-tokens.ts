import type { Call, Evidence, TokenCall } from '../evidence/evidence.ts'
import { isAccepted, isVerificationFailure } from './answers.ts'

/** An access token that the capture shows being issued, and the calls with it. */
export interface IssuedToken {
  readonly call: TokenCall
  readonly token: string
  /** The account of the calls with it, accepted ones first; null if none says its account. */
  readonly clientId: string | null
  /** When it was issued at the earliest and at the latest. */
  readonly from: number
  readonly to: number
  /** The accepted calls with it, and those refused with the printed 401, oldest first. */
  readonly uses: readonly TokenUse[]
}

export interface TokenUse {
  readonly call: Call
  readonly isAccepted: boolean
}

/** The issued tokens, oldest first. */
export function issuedTokens({ calls, tokenCalls }: Evidence): IssuedToken[] {
  const byToken = Map.groupBy(calls, ({ headers }) => headers['access-token'] ?? '')
  const seen = new Set<string>()
  return tokenCalls.flatMap((call) => {
    const { token, at, ms } = call
    // A token that is answered twice has no clear beginning.
    if (token === null || seen.has(token)) return []
    seen.add(token)
    const uses = (byToken.get(token) ?? []).flatMap((use) => useOf(use))
    const clientId = (uses.find(({ isAccepted }) => isAccepted) ?? uses[0])?.call.clientId ?? null
    return [{ call, token, clientId, from: at, to: at + (ms ?? 1000), uses }]
  })
}

/** Only lookups count as refused: a create call can be refused because of its signature. */
function useOf(call: Call): TokenUse[] {
  if (isAccepted(call)) return [{ call, isAccepted: true }]
  return call.method === 'GET' && isVerificationFailure(call) ? [{ call, isAccepted: false }] : []
}
