import type { Diagnosis } from '../journal/entry.ts'
import { sign } from '../webhook/signature.ts'
import type { Cause } from './causes.ts'
import { inWords, isPlaceholder } from './mistake.ts'
import { readings } from './signature/readings.ts'
import { type Found, search } from './signature/search.ts'
import { type SignedCall, signedTexts } from './signature/signed-texts.ts'
import { type Credentials, secretsOfOthers, wrongKeys } from './signature/signing-keys.ts'

const differenceCharacters = 16

/** Returns the index of the first difference between two texts; the length of the shorter text if the longer one
 *  begins with it. */
function firstDifference(a: string, b: string): number {
  let index = 0
  while (index < a.length && index < b.length && a[index] === b[index]) index++
  return index
}

/** Describes the first difference between two texts; nothing for equal ones. */
function differenceInWords(signed: string, wanted: string): string {
  if (signed === wanted) return ''
  const index = firstDifference(signed, wanted)
  // Two different Unicode forms of a text look the same, so code points are shown.
  const show = signed.normalize() === wanted.normalize() ? escaped : shownDifference
  return `from index ${index} you signed ${show(signed, index)} instead of ${show(wanted, index)}`
}

const escaped = (text: string, index: number) =>
  shownDifference(text, index).replaceAll(
    /[\u0080-\u2025\u2027-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function shownDifference(text: string, index: number): string {
  if (index >= text.length) return 'nothing more'
  // A line end must be visible, and half a surrogate pair must not be shown.
  const rest = JSON.stringify(text.slice(index, index + differenceCharacters).toWellFormed()).slice(1, -1)
  return `\`${rest}${text.length > index + differenceCharacters ? '…' : ''}\``
}

/** A create call whose signature was refused. */
export interface RefusedSignature extends SignedCall {
  /** The value of the header `signature`. */
  readonly signature: string | undefined
  /** Other places where the signature may have been put, with their contents. */
  readonly elsewhere: { readonly cause: Cause; readonly where: string; readonly signature: string } | null
  readonly client: Credentials
  /** The other clients whose secrets are tried, at most `mostOthers` of them. */
  readonly others: Iterable<Pick<Credentials, 'clientId' | 'apiSecret'>>
  /** The number of the emulator's other clients. */
  readonly othersCount: number
}

/** The maximum number of other clients whose secrets are tried. */
export const mostOthers = 100
const shownCharacters = 200

/** Explains a rejected signature: tries the usual mistakes, one by one and in pairs, and reports those that give
 *  exactly this signature. Secrets are never shown. */
export function diagnoseSignature(refused: RefusedSignature): Diagnosis {
  const { signature, elsewhere } = refused
  if (signature !== undefined && signature !== '') return diagnosePresent(refused, signature)
  const wanted = refused.accepted[0] ?? ''
  if (elsewhere !== null) return diagnoseElsewhere(refused, elsewhere)
  const [cause, what] =
    signature === ''
      ? (['signature.empty', 'is empty'] as const)
      : (['signature.missing', 'is missing'] as const)
  return simple(cause, `the header \`signature\` ${what}; sign ${shown(wanted)}`, wanted)
}

function diagnoseElsewhere(
  refused: RefusedSignature,
  { cause, where, signature }: NonNullable<RefusedSignature['elsewhere']>,
): Diagnosis {
  const place = `it is in ${where}; send it in the header \`signature\``
  const fits = refused.accepted.some((text) => sign(text, refused.client.apiSecret) === signature)
  if (fits) return simple(cause, place, refused.accepted[0] ?? '')
  const { message, ...rest } = diagnosePresent(refused, signature)
  return { ...rest, cause, message: `signature: ${place}. Also, ${message.replace(/^signature: /, '')}` }
}

function diagnosePresent(refused: RefusedSignature, signature: string): Diagnosis {
  return (
    notSigned(refused, signature) ??
    twice(refused, signature) ??
    damaged(refused, signature) ??
    searched(refused, signature)
  )
}

/** Finds the cause if the header `signature` is missing or cannot be a signature. */
function notSigned({ client, accepted }: RefusedSignature, signature: string): Diagnosis | null {
  const wanted = accepted[0] ?? ''
  const bare = signature.trim()
  if (bare === client.apiSecret)
    return simple(
      'signature.credential',
      'the header contains the API secret itself; never send the secret',
      wanted,
    )
  if (bare === client.accessToken || bare === client.webhookSecret || bare === client.clientId)
    return simple(
      'signature.credential',
      'the header contains another credential instead of a signature',
      wanted,
    )
  if (accepted.includes(bare))
    return simple(
      'signature.unsigned',
      'the header contains the string to sign instead of its signature',
      wanted,
    )
  if (isPlaceholder(bare))
    return simple('signature.placeholder', `the header contains a placeholder, \`${bare}\``, wanted)
  return null
}

/** Node joins the values of a repeated header with a comma. */
function twice({ accepted, client }: RefusedSignature, signature: string): Diagnosis | null {
  const parts = signature.split(',', 10).map((part) => part.trim())
  // `v1,` before a signature is the prefix of Standard Webhooks.
  if (parts.length === 1 || /^v\d$/i.test(parts[0] ?? '')) return null
  const right = new Map(accepted.map((text) => [sign(text, client.apiSecret), text]))
  const fitting = right.get(parts.find((part) => right.has(part)) ?? '')
  if (fitting === undefined) return null
  const words = parts.every((part) => part === parts[0])
    ? 'all with the same value'
    : 'one of them is correct'
  return simple(
    'signature.twice',
    `the header was sent ${parts.length} times (${words}); send it once`,
    fitting,
  )
}

/** Diagnoses a correct signature that was cut off or changed in case. */
function damaged({ accepted, client }: RefusedSignature, signature: string): Diagnosis | null {
  for (const text of accepted) {
    const right = sign(text, client.apiSecret)
    const unpadded = right.replace(/=+$/, '')
    if (signature.length >= 8 && signature.length < unpadded.length && right.startsWith(signature)) {
      const words = `it is correct but truncated: ${signature.length} of ${right.length} characters`
      return simple('signature.cut', words, text)
    }
    if (signature !== right && signature.toLowerCase() === right.toLowerCase())
      return simple(
        'signature.letter-case',
        'it is correct except for upper and lower case; do not change the case',
        text,
      )
    if (
      signature.length > right.length &&
      signature.startsWith(right) &&
      !/^[=\s]+$/.test(signature.slice(right.length))
    )
      return simple('signature.wrapped', 'it is correct, but there is extra text after it', text)
  }
  return null
}

function searched(refused: RefusedSignature, signature: string): Diagnosis {
  const { accepted, client, others, othersCount } = refused
  const wanted = accepted[0] ?? ''
  const possible = readings(signature)
  if (possible.length === 0) {
    const words = `it is not a digest: its length is ${signature.length}, and the base64 of an HMAC-SHA256 has 44 characters. Sign ${shown(wanted)}`
    return simple('signature.no-digest', words, wanted)
  }
  const found = search({
    readings: possible,
    apiSecret: client.apiSecret,
    accepted,
    texts: signedTexts(refused),
    keys: wrongKeys(client),
    othersKeys: secretsOfOthers(others),
  })
  if (found === null || found === 'exhausted')
    return unknownMistake(wanted, found === 'exhausted', othersCount)
  return named(found, accepted)
}

function named({ mistakes, text }: Found, accepted: readonly string[]): Diagnosis {
  const [first] = mistakes
  const signed = text.toString()
  const wanted = nearestTo(signed, accepted)
  if (first === undefined || signed === wanted)
    return simple(first?.cause ?? 'signature.wrong', inWords(mistakes), wanted)
  const difference = Buffer.isBuffer(text) ? '' : ` (${differenceInWords(signed, wanted)})`
  return {
    cause: first.cause,
    message: `signature: ${inWords(mistakes)}${difference}; sign ${shown(wanted)}`,
    stringToSign: wanted,
    ...(Buffer.isBuffer(text)
      ? {}
      : { signedString: signed, firstDifference: firstDifference(signed, wanted) }),
  }
}

function unknownMistake(wanted: string, exhausted: boolean, othersCount: number): Diagnosis {
  const others =
    othersCount === 0
      ? ''
      : `, the secrets of ${othersCount > mostOthers ? `${mostOthers} of ` : ''}${othersCount} other clients`
  const tried =
    'other spellings, forms, orders and encodings of the string, the JSON body, changed keys and other keys' +
    `${others}, other hashes`
  const stopped = exhausted ? ' The string is so long that the emulator did not try all of these.' : ''
  const words =
    `it matches no known mistake; sign ${shown(wanted)} as UTF-8 with HMAC-SHA256 and this client's API secret, ` +
    `and base64-encode the bytes. Tried: ${tried}.${stopped}`
  return simple('signature.wrong', words, wanted)
}

/** The accepted text that is most similar to the signed one. */
function nearestTo(signed: string, accepted: readonly string[]): string {
  const [nearest = ''] = accepted.toSorted((a, b) => firstDifference(signed, b) - firstDifference(signed, a))
  return nearest
}

const simple = (cause: Cause, words: string, stringToSign: string): Diagnosis => ({
  cause,
  message: `signature: ${words}`,
  stringToSign,
})

const shown = (text: string) =>
  text.length > shownCharacters
    ? `\`${text.slice(0, shownCharacters)}…\` (${text.length} characters)`
    : `\`${text}\``
