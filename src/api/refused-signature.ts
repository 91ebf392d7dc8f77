import type { Cause } from '../domain/diagnosis/causes.ts'
import { diagnoseSignature, mostOthers } from '../domain/diagnosis/signature.ts'
import type { Diagnosis } from '../domain/journal-entry.ts'
import { doubledMembers } from '../domain/json-text.ts'
import type { SignedMembers } from '../domain/signature.ts'
import type { JsonObject } from '../http/body.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { Call } from './call.ts'

const headerNames = [
  'x-signature',
  'signatures',
  'sign',
  'x-sign',
  'hmac',
  'x-hmac',
  'x-hmac-signature',
  'x-hmac-sha256',
  'x-hub-signature',
  'x-hub-signature-256',
  'x-request-signature',
  'x-api-signature',
  'api-signature',
  'webhook-signature',
  'x-webhook-signature',
  'content-signature',
]
const memberNames = ['signature', 'sign', 'hmac']

/** A create call whose signature fits none of the accepted strings. */
export interface RefusedCreate {
  readonly kind: 'checkout' | 'subscription'
  readonly members: SignedMembers
  readonly accepted: readonly string[]
  readonly body: JsonObject
}

/** Why the signature of a call does not fit. */
export function refusedSignature(refused: RefusedCreate, call: Call, clients: Clients): Diagnosis {
  const { client } = call
  return diagnoseSignature({
    ...refused,
    body: call.body.text,
    read: refused.body,
    firstValues: firstValues(call.body.text),
    signature: call.header('signature'),
    elsewhere: elsewhere(refused, call),
    client,
    others: clients.some(mostOthers + 1).filter(({ clientId }) => clientId !== client.clientId),
    othersCount: clients.count - 1,
  })
}

function elsewhere(
  { body }: RefusedCreate,
  { header, query }: Call,
): { cause: Cause; where: string; signature: string } | null {
  for (const name of headerNames) {
    const signature = header(name)
    if (signature) return { cause: 'signature.header-name', where: `the header \`${name}\``, signature }
  }
  for (const name of memberNames) {
    const inBody = body[name]
    if (typeof inBody === 'string')
      return { cause: 'signature.in-body', where: `the body (\`${name}\`)`, signature: inBody }
    const inQuery = query().get(name)
    if (inQuery !== null)
      return { cause: 'signature.in-query', where: `the query (\`${name}\`)`, signature: inQuery }
  }
  return null
}

const signedNames = ['currencyId', 'fiatAmount', 'requestId', 'interval', 'trialPeriodDays'] as const

/** The first value of each signed member that stands in the body more than once. */
function firstValues(body: string): Partial<SignedMembers> {
  const doubled = doubledMembers(body)
  const found = signedNames.flatMap((name) => {
    const value: unknown = JSON.parse(doubled.get(name) ?? 'null')
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries(found)
}
