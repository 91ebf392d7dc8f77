import {
  type CheckoutForm,
  checkoutString,
  type SignedMembers,
  signedWith,
  subscriptionString,
} from '../../../domain/webhook/signature.ts'
import {
  isAccepted,
  isCheckout,
  isCreate,
  isVerificationFailure,
  placeIn,
  textIn,
  trustedCalls,
} from '../../calls/answers.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Unexplained } from '../../elimination/finding.ts'
import type { Call, Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** Which text a checkout call signs: from the signatures of accepted and refused calls, checked with the API secret
 *  (N19). */
export const createSignature: Rule = {
  settings: ['signature.checkout'],
  learn: (evidence, { claims }) => {
    const { apiSecret } = evidence.secrets
    const signed = signedCalls(evidence)
    return [
      eliminate(
        {
          setting: 'signature.checkout',
          candidates: ['either', 'short', 'with-currency'],
          sights: sightsIn(signed, evidence),
          evidence: (value, count) => `${count} checkout calls agree with ${value}: ${counted(signed)}`,
          nothing: nothing(apiSecret, signed, evidence),
          decide:
            apiSecret === null
              ? 'the API secret, handed in to check the signatures of checkout calls'
              : `two checkout calls that sign ${missing(signed)}`,
        },
        claims,
      ),
    ]
  },
  unexplained: (evidence) => {
    const accepted = signedCalls(evidence).filter(({ isAccepted }) => isAccepted)
    const strange = accepted.filter(({ form }) => form === null)
    const [first] = strange
    // A secret that fits nothing is another account's.
    if (first === undefined || strange.length === accepted.length) return []
    const found: Unexplained = {
      what: 'accepted checkout calls whose signature covers neither of the two documented texts',
      count: strange.length,
      of: accepted.length,
      example: `requestId ${first.call.requestId}`,
      source: first.call.source,
    }
    return [found]
  },
}

interface SignedCall {
  readonly call: Call
  /** The form that the signature fits; null for neither. */
  readonly form: CheckoutForm | null
  readonly isAccepted: boolean
}

const forms = ['short', 'with-currency'] as const

/** Checkout calls without an `interval`, which may make them subscriptions (N23). */
function signedCalls({ calls, secrets: { apiSecret } }: Evidence): SignedCall[] {
  if (apiSecret === null) return []
  return calls
    .filter((call) => isCheckout(call) && textIn(call, 'interval') === undefined)
    .flatMap((call) => {
      const { signature } = call.headers
      if (signature === undefined || textIn(call, 'requestId') === undefined) return []
      const textOf = (form: CheckoutForm) => checkoutString(signedMembers(call), form)
      return [
        { call, form: signedWith(signature, { forms, textOf }, apiSecret), isAccepted: isAccepted(call) },
      ]
    })
}

/** The signed fields of a create call. */
function signedMembers(call: Call): SignedMembers {
  return {
    currencyId: textIn(call, 'currencyId') ?? '',
    fiatAmount: textIn(call, 'fiatAmount') ?? '',
    requestId: textIn(call, 'requestId') ?? '',
    interval: textIn(call, 'interval'),
    trialPeriodDays: textIn(call, 'trialPeriodDays'),
  }
}

function sightsIn(signed: readonly SignedCall[], { calls }: Evidence): Sight[] {
  const isTrusted = trustedCalls(calls)
  return forms.flatMap((form) => {
    const withForm = signed.filter((each) => each.form === form)
    const accepted = withForm.filter(({ isAccepted }) => isAccepted)
    if (accepted.length > 0)
      return accepted.map(({ call }) => sight(call, `accepted with the signature form ${form}`, form, true))
    const refused = withForm.filter(({ call }) => isVerificationFailure(call) && isTrusted(call))
    // One refusal may have another cause, such as a fault.
    if (new Set(refused.map(({ call }) => call.requestId)).size < 2) return []
    return refused.map(({ call }) => sight(call, `refused with the signature form ${form}`, form, false))
  })
}

const sight = (call: Call, words: string, form: CheckoutForm, isAllowed: boolean): Sight => ({
  source: call.source,
  unit: call.requestId ?? placeIn(call),
  words,
  allows: (value) => (value === 'either' || value === form) === isAllowed,
})

function nothing(apiSecret: string | null, signed: readonly SignedCall[], { calls }: Evidence): string {
  if (apiSecret === null)
    return calls.some(isCreate)
      ? 'without the API secret no signature of a create call can be checked'
      : 'the capture has no create call'
  const accepted = signed.filter(({ isAccepted }) => isAccepted).length
  return accepted === 0
    ? 'no checkout call with a signature was accepted'
    : `the API secret fits the signature of none of the ${accepted} accepted checkout calls`
}

function counted(signed: readonly SignedCall[]): string {
  const parts = forms.flatMap((form) => {
    const all = signed.filter((each) => each.form === form)
    const accepted = all.filter(({ isAccepted }) => isAccepted).length
    const refused = all.filter(({ call }) => isVerificationFailure(call)).length
    return all.length === 0 ? [] : `${accepted} accepted and ${refused} refused with ${form}`
  })
  return parts.join(', ')
}

function missing(signed: readonly SignedCall[]): string {
  const seen = new Set(signed.flatMap(({ form }) => form ?? []))
  const form = forms.find((each) => !seen.has(each)) ?? 'short'
  return form === 'short' ? '`fiatAmount` and `requestId` only' : '`currencyId` too'
}

/** The kinds of text that the signature of a create call fits, whatever its path; null for none, or without a secret. */
export function signedKind(call: Call, apiSecret: string | null): 'checkout' | 'subscription' | null {
  const { signature } = call.headers
  if (signature === undefined || apiSecret === null) return null
  const members = signedMembers(call)
  const textOf = (form: CheckoutForm | 'subscription') =>
    form === 'subscription' ? subscriptionString(members) : checkoutString(members, form)
  const form = signedWith(signature, { forms: ['subscription', ...forms] as const, textOf }, apiSecret)
  return form === null || form === 'subscription' ? form : 'checkout'
}
