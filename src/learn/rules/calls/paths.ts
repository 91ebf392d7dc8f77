import {
  isAccepted,
  isCheckout,
  isVerificationFailure,
  placeIn,
  textIn,
  trustedCalls,
} from '../../calls/answers.ts'
import { refusesOnly } from '../../calls/refused-input.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Call, Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'
import { signedKind } from './create-signature.ts'

/** Which paths set the webhook URL and create subscriptions (N22, N23). */
export const paths: Rule = {
  settings: ['paths.webhookUrl', 'paths.subscription'],
  learn: (evidence, { claims }) => [
    eliminate(
      {
        setting: 'paths.webhookUrl',
        candidates: ['both', 'short', 'fiat'],
        sights: urlPaths.flatMap((path) => pathSights(path, evidence)),
        evidence: (value, count) => `${count} calls that set the webhook URL agree with ${value}`,
        decide: 'two calls of each of the two paths that set the webhook URL',
      },
      claims,
    ),
    eliminate(
      {
        setting: 'paths.subscription',
        candidates: ['own', 'both'],
        sights: intervalSights(evidence),
        evidence: (value, count) =>
          `${count} calls of the checkout path with an \`interval\` were treated as ${value === 'own' ? 'checkouts' : 'subscriptions'}`,
        nothing: 'no call of the checkout path with an `interval` shows what became of it',
        decide:
          'two calls of the checkout path with an `interval`, and the API secret to check their signatures',
      },
      claims,
    ),
  ],
}

type UrlPath = 'short' | 'fiat'
const urlPaths: readonly UrlPath[] = ['short', 'fiat']

const urlPathOf = ({ path }: Call): UrlPath => (/\/fiat\/webhook-url\/?$/.test(path) ? 'fiat' : 'short')

function pathSights(urlPath: UrlPath, { calls }: Evidence): Sight[] {
  const all = calls.filter((call) => call.operation === 'webhook-url' && urlPathOf(call) === urlPath)
  const accepted = all.filter(isAccepted)
  const sight = (call: Call, isServed: boolean): Sight => ({
    source: call.source,
    unit: placeIn(call),
    words: `${call.path} answers ${call.status}`,
    allows: (value) => (value === 'both' || value === urlPath) === isServed,
  })
  if (accepted.length > 0) return accepted.map((call) => sight(call, true))
  const missing = all.filter(({ status }) => status === 404)
  // One 404 may be a fault. Any other answer than a 404 or a failure of the server can mean that the path exists.
  const isMissing =
    missing.length >= 2 && all.every(({ status }) => status === 404 || status === null || status >= 500)
  return isMissing ? missing.map((call) => sight(call, false)) : []
}

function intervalSights({ calls, secrets, orders }: Evidence): Sight[] {
  const isTrusted = trustedCalls(calls)
  const charged = new Set(
    orders.flatMap(({ created, lookups }) =>
      created !== null &&
      lookups.some(({ operation, records }) => operation === 'orders' && records.length > 1)
        ? created
        : [],
    ),
  )
  return calls.flatMap((call): Sight[] => {
    const interval = textIn(call, 'interval')
    if (!isCheckout(call) || interval === undefined) return []
    const sight = (treatedAs: 'own' | 'both', words: string): Sight[] => [
      {
        source: call.source,
        unit: call.requestId ?? placeIn(call),
        words,
        allows: (value) => value === treatedAs,
      },
    ]
    const kind = signedKind(call, secrets.apiSecret)
    if (isAccepted(call)) {
      if (kind === 'subscription') return sight('both', 'accepted with the signature of a subscription')
      if (kind === 'checkout') return sight('own', 'accepted with the signature of a checkout')
      if (charged.has(call)) return sight('both', 'a call of the checkout path led to several charges')
      return intervals.includes(interval)
        ? []
        : sight('own', `the \`interval\` ${JSON.stringify(interval)} was ignored`)
    }
    if (refusesOnly(call, 'interval')) return sight('both', 'refused because of its `interval`')
    if (kind === null || !isVerificationFailure(call) || !isTrusted(call)) return []
    return kind === 'subscription'
      ? sight('own', 'refused with the signature of a subscription')
      : sight('both', 'refused with the signature of a checkout')
  })
}

/** The intervals that a service can have. */
const intervals: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY']
