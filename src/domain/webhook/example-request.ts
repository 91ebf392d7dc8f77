import type { EpochMs } from '../text/time.ts'
import { isClaims, type Jwt, type JwtSettings, jwtOf, memberOf, secretOf, token, withTokens } from './jwt.ts'
import { recipeOf, type SignatureSettings } from './recipe.ts'
import type { ClientSecrets } from './secret.ts'
import { acceptedSecrets } from './signature-problem.ts'
import { signedHeaders, signedText, writtenTime } from './signed-headers.ts'

const exampleUrl = 'https://shop.example/webhooks'

/** A webhook to sign. */
interface Unsigned {
  readonly id: string
  readonly clientId: string
  readonly body: string
  /** The URL that it is sent to; an example if left out. */
  readonly url?: string | undefined
  /** The time of signing. */
  readonly at: EpochMs
}

/** A webhook as it is sent. */
export interface SignedExample {
  /** The headers of the signature and of the token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The text that is signed; null without a signature. */
  readonly stringToSign: string | null
}

/** Signs a webhook by some settings, outside of any delivery. With the format `jwt`, a body that is an object becomes
 *  the claims of the token. */
export function exampleRequest(
  settings: SignatureSettings & JwtSettings,
  { id, clientId, body, url = exampleUrl, at }: Unsigned,
  secrets: ClientSecrets,
): SignedExample {
  const [recipe, jwt] = [recipeOf(settings), jwtOf(settings)]
  const make = (claims: string, form: Jwt) =>
    token(claims, form, { secret: secretOf(form, secrets, { isForged: false }), webhookId: id, at })
  const made = jwt !== null && !jwt.isInTemplate && isClaims(body) ? make(body, jwt) : null
  const member = jwt && memberOf(jwt)
  const plain = jwt === null ? body : withTokens(body, id, (claims) => make(claims, jwt))
  const sent = made !== null && member !== null ? JSON.stringify({ [member]: made }) : plain
  const tokenHeader = made !== null && jwt?.header !== undefined ? { [jwt.header]: made } : {}
  if (recipe === null) return { headers: tokenHeader, body: sent, stringToSign: null }
  const message = { id, clientId, url, body: sent, timestamp: writtenTime(recipe, at) }
  const [secret] = acceptedSecrets(recipe, secrets)
  return {
    headers: { ...tokenHeader, ...signedHeaders(recipe, message, [{ secret }]) },
    body: sent,
    stringToSign: signedText(recipe, message),
  }
}
