import { createHmac, timingSafeEqual } from 'node:crypto'

/** The fields of a create request that are signed, verbatim from its body. */
export interface SignedMembers {
  readonly currencyId: string
  readonly fiatAmount: string
  readonly requestId: string
  readonly interval?: string | undefined
  readonly trialPeriodDays?: string | undefined
}

/** The two forms of the text that a checkout signs; both are documented (N19). */
export type CheckoutForm = 'short' | 'with-currency'

/** The text that a checkout signs: `fiatAmount=…&requestId=…`, or with `currencyId=…&` in front (R113, R114). Values
 *  are raw, as in the body. */
export function checkoutString(members: SignedMembers, form: CheckoutForm): string {
  const short = `fiatAmount=${members.fiatAmount}&requestId=${members.requestId}`
  return form === 'short' ? short : `currencyId=${members.currencyId}&${short}`
}

/** The text that a subscription signs; `trialPeriodDays` is included if it is not empty (R64, R65, R104). */
export function subscriptionString(members: SignedMembers): string {
  const base = `${checkoutString(members, 'with-currency')}&interval=${members.interval ?? ''}`
  return members.trialPeriodDays ? `${base}&trialPeriodDays=${members.trialPeriodDays}` : base
}

/** HMAC-SHA256 of the text in UTF-8, keyed with the API secret, in base64 (R111, R112). */
export const sign = (stringToSign: string, apiSecret: string): string =>
  createHmac('sha256', apiSecret).update(stringToSign).digest('base64')

/** Finds the form of the text that a signature signs, compared in constant time; null if none matches.
 *  @param textOf the signed text of a form */
export function signedWith<Form extends string>(
  signature: string,
  { forms, textOf }: { readonly forms: readonly Form[]; readonly textOf: (form: Form) => string },
  apiSecret: string,
): Form | null {
  return forms.find((form) => sameText(signature, sign(textOf(form), apiSecret))) ?? null
}

/** Compares two texts of one length in constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
