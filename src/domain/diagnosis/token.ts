import type { Diagnosis } from '../journal/entry.ts'
import type { Cause } from './causes.ts'
import { isPlaceholder } from './mistake.ts'

/** The places where a call may have an access token. */
export interface SentToken {
  /** The value of the header `access-token`. */
  readonly token: string | undefined
  readonly header: (name: string) => string | undefined
  /** Returns the query, which is only read if the header is missing. */
  readonly query: () => URLSearchParams
  readonly body: string
}

/** The credentials of all clients, as the diagnosis of a token uses them. */
export interface KnownCredentials {
  /** Returns the client of a token, even of an expired one. */
  readonly ownerOf: (token: string) => string | null
  /** The client whose token equals the text except for case, or whose other credential it is. */
  readonly credential: (text: string) => { readonly clientId: string; readonly what: CredentialKind } | null
}

export type CredentialKind = 'API secret' | 'webhook secret' | 'clientId' | 'token in other letters'

const headerNames = [
  'x-access-token',
  'access_token',
  'accesstoken',
  'x-accesstoken',
  'x-auth-token',
  'auth-token',
  'x-api-key',
  'api-key',
  'token',
  'x-token',
]
const memberNames = ['access-token', 'access_token', 'accessToken', 'token']
/** The maximum length of a body that is searched for a token. */
const longestBody = 16 * 1024
/** The maximum length of a token from which quotes and prefixes are removed. */
const longestToken = 1_000
/** Matches an issued token: 32 bytes in base64url. */
const issuedToken = /^[\w-]{43}$/

/** Explains a missing or invalid token. It names the place of a token, never its value. */
export function diagnoseToken(sent: SentToken, known: KnownCredentials): Diagnosis {
  const { token } = sent
  if (token !== undefined && token.trim() !== '') return unknownToken(token, known)
  const found = elsewhere(sent, known)
  if (found !== null) return found
  return token === undefined
    ? diagnosis('token.missing', 'the header `access-token` is missing')
    : diagnosis('token.empty', 'the header `access-token` is empty; check the setting with the token')
}

function elsewhere(sent: SentToken, known: KnownCredentials): Diagnosis | null {
  const authorization = sent.header('authorization')
  if (authorization !== undefined) {
    const words =
      'the header `access-token` is missing, and the service ignores `Authorization`; send only the token, in `access-token`'
    return diagnosis('token.authorization-header', `${words}${verdict(bare(authorization), known)}`)
  }
  for (const name of headerNames) {
    const value = sent.header(name)
    if (value !== undefined)
      return diagnosis(
        'token.header-name',
        `the service ignores the header \`${name}\`; rename it to \`access-token\`${verdict(bare(value), known)}`,
      )
  }
  const query = sent.query()
  const inQuery = memberNames.find((name) => query.has(name))
  if (inQuery !== undefined) {
    const words = `it is in the query (\`${inQuery}\`); send it in the header \`access-token\``
    return diagnosis('token.in-query', `${words}${verdict(query.get(inQuery) ?? '', known)}`)
  }
  const inBody = memberNames.find((name) => memberOf(sent.body, name) !== null)
  if (inBody === undefined) return null
  const words = `it is in the body (\`${inBody}\`); send it in the header \`access-token\``
  return diagnosis('token.in-body', `${words}${verdict(memberOf(sent.body, inBody) ?? '', known)}`)
}

/** Superfluous text around a token. The patterns are exact: trying all possibilities would take long. */
const wrappings: readonly (readonly [cause: Cause, words: string, pattern: RegExp])[] = [
  [
    'token.prefix',
    'there is a prefix before it (`Bearer`); send only the token',
    /^(?:bearer|token|jwt|basic|access-token)[\s:=]+(.+)$/i,
  ],
  ['token.wrapped', 'there are quotes around it; send only the token', /^["'`](.+)["'`]$/],
  ['token.wrapped', "there is Python's b'…' around it; decode the bytes to text", /^b["'](.+)["']$/],
  [
    'token.wrapped',
    'there are brackets around it; send only the token',
    /^[<{[(]+(?![<{[(])(.+)(?<![>}\])])[>}\])]+$/,
  ],
  [
    'token.wrapped',
    'there is a line break or space around it; trim it',
    /^(?:\s|%20)*(?!\s|%20)(.+)(?<!\s|\\n|\\r|%0a|%0d|%20)(?:\s|\\n|\\r|%0a|%0d|%20)*$/i,
  ],
]

function unknownToken(token: string, known: KnownCredentials): Diagnosis {
  const parts = token.split(',', 10).map((part) => part.trim())
  if (parts.length > 1 && parts.some((part) => known.ownerOf(part) !== null))
    return diagnosis('token.twice', `the header was sent ${parts.length} times; send it once`)
  const wrapped = wrappings
    .map(([cause, words, pattern]) => ({
      cause,
      words,
      inner: pattern.exec(token.slice(0, longestToken))?.[1],
    }))
    .find(({ cause, inner }) => isWrapped(cause, inner, token, known))
  if (wrapped !== undefined)
    return diagnosis(wrapped.cause, `${wrapped.words}${verdict(wrapped.inner ?? '', known)}`)
  if (isPlaceholder(token.trim()))
    return diagnosis('token.placeholder', `the header contains a placeholder, \`${token.trim()}\``)
  const credential = known.credential(token.trim())
  if (credential?.what === 'token in other letters') {
    const whose = `the token of ${JSON.stringify(credential.clientId)}`
    return diagnosis(
      'token.letter-case',
      `it is ${whose} except for upper and lower case; do not change the case`,
    )
  }
  if (credential !== null) {
    const words = `the header contains the ${credential.what} of ${JSON.stringify(credential.clientId)}; send its access token`
    return diagnosis('token.credential', words)
  }
  if (issuedToken.test(token)) {
    const words =
      'no client has this access token. It looks like a token from before a reset, from before a restart ' +
      'with a database in memory, or from another emulator; get a new one'
    return diagnosis('token.lost', words)
  }
  return diagnosis(
    'token.unknown',
    'no client has this access token; `GET /_emulator/clients` lists the valid ones',
  )
}

/** Whether a wrapping is wrong. A prefix always is; other text may be part of the token, unless the inner part is a
 *  known token. */
function isWrapped(cause: Cause, inner: string | undefined, token: string, known: KnownCredentials): boolean {
  if (inner === undefined || inner === token) return false
  return cause === 'token.prefix' || known.ownerOf(inner) !== null
}

function verdict(token: string, known: KnownCredentials): string {
  if (isPlaceholder(token)) return `. Also, it contains a placeholder, \`${token}\``
  const owner = known.ownerOf(token)
  return owner === null
    ? '. Also, no client has this access token'
    : ` (it is a token of ${JSON.stringify(owner)})`
}

const bare = (value: string) => value.replace(/^(?:bearer|token|basic)\s+/i, '').trim()

function memberOf(body: string, name: string): string | null {
  if (body.length > longestBody || !body.includes(name)) return null
  try {
    const value: unknown = JSON.parse(body)
    const member = Object(value)[name]
    return typeof member === 'string' ? member : null
  } catch {
    return null
  }
}

const diagnosis = (cause: Cause, words: string): Diagnosis => ({ cause, message: `token: ${words}` })
