// `hash` not by its name: a Node that is too old has none, and could not say that it is too old.
import crypto, { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The signed members of a create request, verbatim as in its body. */
export interface SignedMembers {
  readonly currencyId: string
  readonly fiatAmount: string
  readonly requestId: string
  readonly interval?: string | undefined
  readonly trialPeriodDays?: string | undefined
}

/** The strings that checkout may be signed over: both forms are printed (N19). */
export type CheckoutForm = 'short' | 'with-currency'

/** `fiatAmount=…&requestId=…`, or the same after `currencyId=…&` (R113, R114). Values raw, as in the body. */
export function checkoutString(members: SignedMembers, form: CheckoutForm): string {
  const short = `fiatAmount=${members.fiatAmount}&requestId=${members.requestId}`
  return form === 'short' ? short : `currencyId=${members.currencyId}&${short}`
}

/** The subscription's string; `trialPeriodDays` is signed when it is not empty (R64, R65, R104). */
export function subscriptionString(members: SignedMembers): string {
  const base = `${checkoutString(members, 'with-currency')}&interval=${members.interval ?? ''}`
  return members.trialPeriodDays ? `${base}&trialPeriodDays=${members.trialPeriodDays}` : base
}

/** HMAC-SHA256 over the string as UTF-8, keyed with the API secret, in base64 (R111, R112). */
export function sign(stringToSign: string, apiSecret: string): string {
  return hmac(stringToSign, apiSecret)
}

/** As two hashes (RFC 2104): a `createHmac` is an object of its own, and takes longer to make and to collect. */
function hmac(text: string, secret: string): string {
  const pads = padsOf(secret)
  if (pads === null) return createHmac('sha256', secret).update(text).digest('base64')
  const { inner, outer } = pads
  outer.write(crypto.hash('sha256', inner + text, 'binary'), blockBytes, 'binary')
  return crypto.hash('sha256', outer, 'base64')
}

/** What the two hashes begin with. */
interface Pads {
  /** ASCII, so that it can be put before a text. */
  readonly inner: string
  /** With room for what the inner hash gives. */
  readonly outer: Buffer
}

const blockBytes = 64
const digestBytes = 32

/** Those of the secrets that are in use. */
const knownPads = new Map<string, Pads>()
const mostKnown = 1_000

/** @returns null for a secret that is no short ASCII */
function padsOf(secret: string): Pads | null {
  const known = knownPads.get(secret)
  if (known !== undefined) return known
  if (secret.length > blockBytes || !/^[\0-\x7f]*$/.test(secret)) return null
  const inner = Buffer.alloc(blockBytes, 0x36)
  const outer = Buffer.alloc(blockBytes + digestBytes, 0x5c)
  for (const [index, byte] of Buffer.from(secret).entries()) {
    inner[index] = 0x36 ^ byte
    outer[index] = 0x5c ^ byte
  }
  const pads = { inner: inner.toString('latin1'), outer }
  // Whoever looks for the secret of a wrong signature tries many.
  if (knownPads.size >= mostKnown) knownPads.clear()
  knownPads.set(secret, pads)
  return pads
}

/** A key that is not the one given, and always the same. */
export function wrongKey(secret: string): string {
  return createHash('sha256').update(`not ${secret}`).digest('base64')
}

/** Which of the strings the signature fits, compared in constant time; null if none. */
export function signedWith<Form extends string>(
  signature: string,
  strings: readonly (readonly [Form, string])[],
  apiSecret: string,
): Form | null {
  const signed = strings.find(([, text]) => sameText(signature, sign(text, apiSecret)))
  return signed?.[0] ?? null
}

/** Equality whose duration tells nothing about where two texts differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
