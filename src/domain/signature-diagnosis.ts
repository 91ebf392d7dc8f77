import { createHmac } from 'node:crypto'
import type { Diagnosis } from './journal-entry.ts'
import { checkoutString, type SignedMembers, subscriptionString } from './signature.ts'

/** What a refused signature was checked against. */
export interface RefusedSignature {
  readonly kind: 'checkout' | 'subscription'
  readonly signature: string | undefined
  readonly members: SignedMembers
  readonly apiSecret: string
  /** What had to be signed, in the form the emulator recommends. */
  readonly stringToSign: string
}

/** Why a signature was refused, in words: tries the usual mistakes, one by one, and names the one that gives
 *  this very signature. */
export function diagnoseSignature(refused: RefusedSignature): Diagnosis {
  const { signature, stringToSign } = refused
  if (signature === undefined || signature === '') {
    const message = `signature: the header \`signature\` is missing; sign \`${stringToSign}\``
    return { cause: 'signature.missing', message, stringToSign }
  }
  return (
    encodingMistake(refused, signature) ?? otherString(refused, signature) ?? unknownMistake(stringToSign)
  )
}

/** The right string under the right key, written otherwise than base64 with padding. */
function encodingMistake(refused: RefusedSignature, signature: string): Diagnosis | null {
  const { stringToSign } = refused
  const digest = hmac(stringToSign, refused.apiSecret)
  const base64 = digest.toString('base64')
  const found = [
    [
      'signature.hex',
      digest.toString('hex'),
      'is the hex digest; base64-encode the 32 bytes of the HMAC itself',
    ],
    [
      'signature.base64-of-hex',
      Buffer.from(digest.toString('hex')).toString('base64'),
      'is the base64 of the hex digest; base64-encode the 32 bytes of the HMAC itself',
    ],
    [
      'signature.base64url',
      digest.toString('base64url'),
      'is base64url; use the alphabet with + and / and keep the padding =',
    ],
    [
      'signature.base64url',
      base64.replaceAll('+', '-').replaceAll('/', '_'),
      'is base64url; use the alphabet with + and /',
    ],
    ['signature.padding', base64.replace(/=+$/, ''), 'lacks its padding =; send all 44 characters'],
  ].find(([, text]) => signature.toLowerCase() === text?.toLowerCase() && sameCase(signature, text))
  if (found === undefined) return null
  return { cause: found[0] ?? '', message: `signature: it ${found[2]}`, stringToSign }
}

// Hex is accepted in either case, base64 is not.
const sameCase = (signature: string, text: string) => /^[0-9a-f]{64}$/i.test(text) || signature === text

/** The right key and encoding over another string. */
function otherString(refused: RefusedSignature, signature: string): Diagnosis | null {
  const { stringToSign, members, apiSecret } = refused
  for (const { cause, text, message } of otherStrings(refused)) {
    if (text === stringToSign || hmac(text, apiSecret).toString('base64') !== signature) continue
    return {
      cause,
      message: `signature: ${message(members)}`,
      stringToSign,
      signedString: text,
      firstDifference: firstDifference(text, stringToSign),
    }
  }
  return null
}

interface OtherString {
  readonly cause: string
  readonly text: string
  readonly message: (members: SignedMembers) => string
}

function otherStrings({ kind, members, stringToSign }: RefusedSignature): OtherString[] {
  const strings = (of: SignedMembers) =>
    kind === 'subscription'
      ? [subscriptionString(of)]
      : [checkoutString(of, 'short'), checkoutString(of, 'with-currency')]
  const spelled = amountSpellings(members.fiatAmount).flatMap((fiatAmount) =>
    strings({ ...members, fiatAmount }).map((text) => ({
      cause: 'signature.amount-spelling',
      text,
      message: (of: SignedMembers) =>
        `you signed \`fiatAmount=${fiatAmount}\`, the body says \`${of.fiatAmount}\``,
    })),
  )
  const encoded = strings({
    currencyId: percentEncoded(members.currencyId),
    fiatAmount: percentEncoded(members.fiatAmount),
    requestId: percentEncoded(members.requestId),
    interval: members.interval === undefined ? undefined : percentEncoded(members.interval),
    trialPeriodDays: members.trialPeriodDays,
  }).map((text) => ({
    cause: 'signature.percent-encoded',
    text,
    message: () => 'you signed percent-encoded values; sign them raw, as they stand in the body',
  }))
  return [...spelled, ...encoded, ...otherForms(kind, members, stringToSign)]
}

function otherForms(
  kind: 'checkout' | 'subscription',
  members: SignedMembers,
  wanted: string,
): OtherString[] {
  const instead = (what: string) => () => `you signed ${what}; sign \`${wanted}\``
  const forms: OtherString[] = [
    {
      cause: 'signature.checkout-form',
      text: checkoutString(members, 'short'),
      message: instead('the short checkout string'),
    },
    {
      cause: 'signature.checkout-form',
      text: checkoutString(members, 'with-currency'),
      message: instead('the checkout string with currencyId'),
    },
  ]
  if (kind === 'checkout') {
    return [
      ...forms,
      {
        cause: 'signature.subscription-form',
        text: subscriptionString(members),
        message: instead('the subscription string'),
      },
    ]
  }
  const withoutTrial = subscriptionString({ ...members, trialPeriodDays: undefined })
  return [
    ...forms,
    {
      cause: 'signature.trial-days',
      text: withoutTrial,
      message: instead('a string without `trialPeriodDays`'),
    },
    {
      cause: 'signature.trial-days',
      text: `${withoutTrial}&trialPeriodDays=`,
      message: instead('an empty `trialPeriodDays`, which is left out'),
    },
  ]
}

function unknownMistake(stringToSign: string): Diagnosis {
  const message = `signature: it does not fit; sign \`${stringToSign}\` with HMAC-SHA256 and your API secret, and base64-encode the bytes`
  return { cause: 'signature.wrong', message, stringToSign }
}

/** Other ways in which programs write the same amount: 10, 10.0, 10.00. */
function amountSpellings(amount: string): string[] {
  const [whole = '', fraction = ''] = amount.split('.')
  const bare = fraction.replace(/0+$/, '')
  const fractions = ['', bare, bare.padEnd(1, '0'), bare.padEnd(2, '0')]
  const spellings = fractions.map((digits) => (digits === '' ? whole : `${whole}.${digits}`))
  const sameValue = spellings.filter((text) => Number(text) === Number(amount))
  return [...new Set(sameValue)].filter((text) => text !== amount)
}

/** encodeURIComponent throws on half a surrogate pair. */
const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed())

function firstDifference(a: string, b: string): number {
  let index = 0
  while (index < a.length && a[index] === b[index]) index++
  return index
}

const hmac = (text: string, secret: string) => createHmac('sha256', secret).update(text, 'utf8').digest()
