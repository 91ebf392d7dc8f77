import type { Settings } from '../choices/settings.ts'
import { demoCredentials } from '../client/client.ts'
import { orderEventType } from '../order/statuses.ts'
import type { EpochMs } from '../text/time.ts'
import { type BatchSettings, batchBody } from './batch.ts'
import { isClaims, type Jwt, type JwtSettings, jwtOf, memberOf, secretOf, token, withTokens } from './jwt.ts'
import { keyProblem } from './key-problem.ts'
import { payload } from './payload.ts'
import { recipeOf, type SignatureSettings } from './recipe.ts'
import type { ClientSecrets } from './secret.ts'
import { acceptedSecrets } from './signature-problem.ts'
import { signedHeaders, signedText, writtenTime } from './signed-headers.ts'

const exampleUrl = 'https://shop.example/webhooks'

/** A webhook to sign. */
interface Unsigned {
  readonly id: string
  readonly clientId: string
  /** The id of its delivery, if the settings may put it into a batch; left out for a body that stays as it is. */
  readonly deliveryId?: string
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
  settings: SignatureSettings & JwtSettings & BatchSettings,
  { id, clientId, deliveryId, body, url = exampleUrl, at }: Unsigned,
  secrets: ClientSecrets,
): SignedExample {
  const [recipe, jwt] = [recipeOf(settings), jwtOf(settings)]
  const make = (claims: string, form: Jwt) =>
    token(claims, form, { secret: secretOf(form, secrets, { isForged: false }), webhookId: id, at })
  const made = jwt !== null && !jwt.isInTemplate && isClaims(body) ? make(body, jwt) : null
  const member = jwt && memberOf(jwt)
  const plain = jwt === null ? body : withTokens(body, id, (claims) => make(claims, jwt))
  const event = made !== null && member !== null ? JSON.stringify({ [member]: made }) : plain
  const isBatch = settings['webhook.batch'] !== null && deliveryId !== undefined
  const sent = isBatch ? batchBody([event], { webhookId: id, deliveryId, at }, settings) : event
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

const example = {
  ...{ id: 'msg_example', deliveryId: 'del_example', clientId: 'demo-client' },
  at: Date.UTC(2026, 0, 1),
}

/** An example webhook by some settings, with the secrets of the demo client; null if they are no keys. */
export function exampleWebhook(settings: Settings): Pick<SignedExample, 'headers' | 'body'> | null {
  if (keyProblem(settings, demoCredentials) !== undefined) return null
  const { id: webhookId, deliveryId, clientId, at } = example
  const event = {
    ...{ requestId: 'order-1', clientId, orderId: 'ord_example' },
    ...{ orderStatus: 'COMPLETED', orderType: 'CHECKOUT', eventType: orderEventType },
  }
  const body = payload({ event, at }, { settings, webhookId, deliveryId })
  const { headers, body: sent } = exampleRequest(settings, { ...example, body }, demoCredentials)
  return { headers, body: sent }
}
