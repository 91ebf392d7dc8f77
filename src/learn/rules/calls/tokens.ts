import { isVerificationFailure, placeIn } from '../../calls/answers.ts'
import { type IssuedToken, issuedTokens, type TokenUse } from '../../calls/issued-tokens.ts'
import { lifetimesIn } from '../../calls/token-lifetime.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, measure, type Sight, type Span } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** How long access tokens are valid, whether they end then, and whether a new one ends the earlier ones (N64b, N79). */
export const tokens: Rule = {
  settings: ['auth.tokenLifetime', 'auth.tokenExpiry', 'auth.oneToken'],
  learn: (evidence, { claims }) => {
    const issued = issuedTokens(evidence)
    return [
      lifetime(issued, evidence, claims),
      expiry(issued, evidence, claims),
      oneToken(issued, evidence, claims),
    ]
  },
}

function lifetime(issued: readonly IssuedToken[], evidence: Evidence, claims: Claims): Finding {
  const question = {
    setting: 'auth.tokenLifetime',
    decide: 'two token calls whose answers say `expiresIn`',
  } as const
  const stated = issued.flatMap(({ call }) => lifetimesIn(call, placeIn(call), evidence))
  if (stated.length > 0) {
    const words = (value: unknown, count: number) =>
      `${count} answers of the token route say a lifetime of ${value}`
    return measure({ ...question, spans: stated, evidence: words }, claims)
  }
  const spans = endsOf(issued)
  const finding = measure(
    {
      ...question,
      spans,
      evidence: (value, count) =>
        `${count} tokens were accepted before they were ${value} old, and refused after it`,
      nothing: 'no answer of the token route says a lifetime, and no token was used until it was refused',
    },
    claims,
  )
  // Something else than its age can have ended a token.
  return finding.state === 'known' ? { ...finding, state: 'likely', decide: question.decide } : finding
}

/** Whether tokens end after the lifetime that their answers say: by tokens that were used long after it. */
function expiry(issued: readonly IssuedToken[], evidence: Evidence, claims: Claims): Finding {
  const decide = 'a lookup with each of two tokens whose lifetime is over'
  const finding = eliminate(
    {
      setting: 'auth.tokenExpiry',
      candidates: ['after-lifetime', 'by-scenario'],
      sights: issued.flatMap((one) => usedTooLate(one, issued, evidence)),
      nothing: 'no token was used after its lifetime',
      decide,
    },
    claims,
  )
  // One token that lives on does not show that no token ends: the service may have renewed it.
  if (finding.state !== 'likely' || finding.value !== 'by-scenario') return finding
  const words = `${finding.evidence}; whether other tokens are too does not show`
  return undecided(finding, { evidence: words, decide, left: ['after-lifetime', 'by-scenario'] })
}

function usedTooLate(one: IssuedToken, issued: readonly IssuedToken[], evidence: Evidence): Sight[] {
  const lifetimes = lifetimesIn(one.call, placeIn(one.call), evidence).map(({ to }) => to)
  if (lifetimes.length === 0) return []
  const end = one.to + Math.max(...lifetimes)
  const late = one.uses.filter(({ call }) => call.at > end + 1000)
  const [first] = late
  if (first === undefined) return []
  const early = one.uses.filter(({ call }) => call.at + (call.ms ?? 1000) < end)
  const isRefused = late.every(({ isAccepted }) => !isAccepted)
  const until = first.call.at + (first.call.ms ?? 1000)
  const isReplaced = issued.some(
    ({ from, clientId }) => from > one.from && from < until && sameAccount(clientId, one.clientId),
  )
  // A newer token may have ended it, or something else before its time.
  const isClear = !isReplaced && early.length > 0 && early.every(({ isAccepted }) => isAccepted)
  if (isRefused && !isClear) return []
  return [
    {
      source: first.call.source,
      unit: placeIn(one.call),
      words: `a token was ${isRefused ? 'refused' : 'accepted'} after its lifetime`,
      allows: (value) => value === (isRefused ? 'after-lifetime' : 'by-scenario'),
    },
  ]
}

/** The ages at which tokens ended: after the last accepted call, before the refused ones. */
function endsOf(issued: readonly IssuedToken[]): Span[] {
  return issued.flatMap((one) => {
    const { uses, from, to, clientId } = one
    const firstRefused = uses.find(({ isAccepted }) => !isAccepted)
    const last = uses.findLast(({ isAccepted }) => isAccepted)
    if (firstRefused === undefined || last === undefined || last.call.at > firstRefused.call.at) return []
    const until = firstRefused.call.at + (firstRefused.call.ms ?? 1000)
    // A newer token may have ended it.
    const isReplaced = issued.some(
      (other) => other.from > from && other.from <= until && sameAccount(other.clientId, clientId),
    )
    return isReplaced
      ? []
      : [
          {
            source: firstRefused.call.source,
            unit: placeIn(one.call),
            words: `a token was refused ${Math.round((firstRefused.call.at - to) / 1000)} s after it was issued`,
            from: last.call.at - to,
            to: until - from,
          },
        ]
  })
}

const sameAccount = (a: string | null, b: string | null): boolean => a === null || b === null || a === b

function oneToken(issued: readonly IssuedToken[], evidence: Evidence, claims: Claims): Finding {
  return eliminate(
    {
      setting: 'auth.oneToken',
      candidates: [false, true],
      sights: issued.flatMap((older) => usedAfterNewer(older, issued, evidence)),
      evidence: (value, count) =>
        `${count} tokens were ${value === true ? 'refused' : 'accepted'} after a newer one of their account was issued`,
      nothing: 'no token was used after a newer one of its account was issued',
      decide: 'two lookups, each with a token that has not expired, after a newer one was issued',
    },
    claims,
  )
}

/** What the first use of a token after the next one shows. */
function usedAfterNewer(older: IssuedToken, issued: readonly IssuedToken[], evidence: Evidence): Sight[] {
  const newer = issued.find(
    ({ from, clientId }) => from > older.to && clientId !== null && clientId === older.clientId,
  )
  if (newer === undefined) return []
  // A call with the newer token shows that it had been issued, where times do not.
  const firstOfNewer = evidence.calls.findIndex(({ headers }) => headers['access-token'] === newer.token)
  const isAfter = ({ call }: TokenUse) =>
    call.at > newer.to || (firstOfNewer >= 0 && evidence.calls.indexOf(call) > firstOfNewer)
  const after = older.uses.filter(isAfter)
  const before = older.uses.filter((each) => !isAfter(each))
  const [use] = after
  if (use === undefined) return []
  const sight = (isEnded: boolean): Sight[] => [
    {
      source: use.call.source,
      unit: placeIn(older.call),
      words: `an older token was ${isEnded ? 'refused' : 'accepted'} after a newer one was issued`,
      allows: (value) => value === isEnded,
    },
  ]
  if (after.some(({ isAccepted }) => isAccepted)) return sight(false)
  const ages = lifetimesIn(older.call, placeIn(older.call), evidence).map(({ from }) => from)
  const isExpired = ages.length === 0 || use.call.at + (use.call.ms ?? 0) - older.from >= Math.min(...ages)
  // A time in which all tokens are refused would be another cause.
  const isNewerFine =
    newer.uses.some(({ call, isAccepted }) => isAccepted && call.at >= use.call.at) &&
    !evidence.calls.some(
      (call) => call.headers['access-token'] === newer.token && isVerificationFailure(call),
    )
  const wasFine = before.every(({ isAccepted }) => isAccepted)
  return !isExpired && isNewerFine && wasFine ? sight(true) : []
}
