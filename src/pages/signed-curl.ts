import { checkoutString, sign } from '../domain/signature.ts'
import { shellQuoted } from './shell-quote.ts'

/** What a signed create call is made of. */
export interface CurlFacts {
  /** The emulator's base URL. */
  readonly url: string
  readonly client: { readonly clientId: string; readonly apiSecret: string; readonly accessToken: string }
  readonly requestId: string
  /** Which of the two printed forms is signed (N19). */
  readonly form: 'short' | 'with-currency'
}

/** A command that creates a checkout order when it is pasted into a POSIX shell, part by part: joined by blanks it is
 *  one line, joined by ` \` and newlines it is easier to read. */
export function signedCurl({ url, client, requestId, form }: CurlFacts): string[] {
  const members = { currencyId: 'usd_us', fiatAmount: '10.00', requestId }
  const { clientId, apiSecret, accessToken } = client
  const body = { ...members, email: 'buyer@example.com', clientId }
  return [
    `curl -sS -w '\\n' ${shellQuoted(`${url}/v1/client/checkout/create-order`)}`,
    `-H ${shellQuoted(`access-token: ${accessToken}`)}`,
    `-H 'Content-Type: application/json'`,
    `-H ${shellQuoted(`signature: ${sign(checkoutString(members, form), apiSecret)}`)}`,
    `-d ${shellQuoted(asciiJson(body))}`,
  ]
}

/** JSON that no terminal and no shell's locale changes. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
