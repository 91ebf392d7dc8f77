import type { CredentialForm } from '../../domain/answers/token-route.ts'
import type { Secrets } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import type { IssuedToken } from './issued-tokens.ts'

/** How a token request carried its credentials. */
export interface TokenRequest {
  readonly form: CredentialForm
  /** The texts in its body. */
  readonly fields: Readonly<Record<string, string>>
  /** The fields with the credentials; null if they are not in the body, or cannot be told. */
  readonly clientIdField: string | null
  readonly apiSecretField: string | null
}

/** Reads an accepted token request; null if its form is none of the three. */
export function tokenRequest({ call, clientId }: IssuedToken, { apiSecret }: Secrets): TokenRequest | null {
  const { headers, body, input } = call
  const isBasic = /^basic\s/i.test(headers.authorization ?? '')
  const isForm = /x-www-form-urlencoded/i.test(headers['content-type'] ?? '')
  const fields = isForm ? Object.fromEntries(new URLSearchParams(body ?? '')) : textsOf(input)
  if (isBasic) return { form: 'basic', fields, clientIdField: null, apiSecretField: null }
  if (!isForm && input === undefined) return null
  const names = Object.keys(fields).filter((name) => !['grant_type', 'scope'].includes(name))
  const clientIdField =
    names.find((name) => clientId !== null && fields[name] === clientId) ??
    names.find((name) => /client.?id/i.test(name))
  const others = names.filter((name) => name !== clientIdField)
  const apiSecretField =
    others.find((name) => apiSecret !== null && fields[name] === apiSecret) ??
    others.find((name) => /secret|password|api.?key/i.test(name)) ??
    (others.length === 1 ? others[0] : undefined)
  if (clientIdField === undefined || apiSecretField === undefined) return null
  return { form: isForm ? 'form' : 'json', fields, clientIdField, apiSecretField }
}

function textsOf(input: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(input)).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
