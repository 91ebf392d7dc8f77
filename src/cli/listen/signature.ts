import { Webhook } from 'standardwebhooks'
import { sameText, sign } from '../../domain/signature.ts'
import { oneLine } from '../log/one-line.ts'
import { toldIn } from './told.ts'

/** What a client's webhooks are signed with. */
export interface Secrets {
  readonly webhookSecret: string
  /** For `webhook.auth: hmac-body`. */
  readonly apiSecret: string
}

const wordsFor = new Map([
  ['Missing required headers', 'missing: it takes webhook-id, webhook-timestamp and webhook-signature'],
  ['No matching signature found', "wrong: it does not fit the body and the client's webhookSecret"],
  ['Message timestamp too old', 'too old: webhook-timestamp is more than 5 minutes ago'],
  ['Message timestamp too new', 'not yet valid: webhook-timestamp is more than 5 minutes ahead'],
  ['Invalid Signature Headers', 'unreadable: webhook-timestamp is not a number of seconds'],
])

/** Verifies a webhook as the published library does; or, if it has the header `signature` alone, as `hmac-body`.
 *  @returns null if its signature is right, else words that go on from "signature" */
export function signatureProblem(
  body: string,
  headers: Readonly<Record<string, string>>,
  { webhookSecret, apiSecret }: Secrets,
): string | null {
  const own = headers['webhook-signature'] === undefined ? headers.signature : undefined
  if (own !== undefined) {
    return sameText(own, sign(body, apiSecret))
      ? null
      : "wrong: it does not fit the body and the client's apiSecret"
  }
  try {
    new Webhook(webhookSecret).verify(body, headers, { jsonParse: false })
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return wordsFor.get(message) ?? `unreadable: ${message}`
  }
}

/** Why a signature that is not right may yet be: it is another client's. Words that go on from "signature".
 *  @returns null if the webhook does not say so */
export function otherClients(body: string, clientId: string): string | null {
  const owner = toldIn(body).clientId
  if (owner === undefined || owner === clientId) return null
  const name = oneLine(owner, 120)
  return `not checked: this is a webhook of ${name}, and this listener has the secrets of ${oneLine(clientId, 120)} (listen --client ${name})`
}
