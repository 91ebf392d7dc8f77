import { masked } from '../../domain/journal/masking.ts'
import type { JournalEntry, TestClient } from '../../index.ts'
import type { ApplicationProcess } from '../application/process.ts'
import { isForToken, tokenOf } from './service-calls.ts'

/** A secret in a call or output of the application. */
export interface Leak {
  /** `the API secret`. */
  readonly secret: string
  /** `the body of POST /v1/client/checkout/create-order`. */
  readonly where: string
}

/** Finds secrets of a client in the bodies and queries of its application's calls. The request log masks each secret,
 *  so the masks are what is searched. Requests for a token contain the API secret rightly. */
export function leaksInCalls(calls: readonly JournalEntry[], client: TestClient): Leak[] {
  const secrets = [...ownSecrets(client), ...tokensIn(calls)].map(
    ([secret, value]) => [secret, secret === issuedToken ? value : masked(value)] as const,
  )
  return calls
    .filter((call) => !isForToken(call))
    .flatMap(({ method, path, body }) => {
      const [route = '', query = ''] = path.split('?')
      const places = [
        [`the query of ${method} ${route}`, decoded(query)],
        [`the body of ${method} ${route}`, body],
      ] as const
      return places.flatMap(([where, text]) =>
        secrets.filter(([, value]) => text.includes(value)).map(([secret]) => ({ secret, where })),
      )
    })
}

/** Finds secrets of a client in what its application has written. */
export function leaksInOutput(
  process: ApplicationProcess,
  calls: readonly JournalEntry[],
  client: TestClient,
): Leak[] {
  const output = process.output()
  const where = 'its output'
  const own = ownSecrets(client).filter(([, value]) => value.length >= shortest && output.includes(value))
  const issued = [...tokensIn(calls)].filter(([, mask]) => beginningOf(mask).test(output))
  return [...own, ...issued].map(([secret]) => ({ secret, where }))
}

/** Shorter secrets could be part of any text. */
const shortest = 8

const issuedToken = 'an access token'

/** The client's own secrets, each with its name. */
const ownSecrets = ({ apiSecret, webhookSecret, accessToken }: TestClient): [string, string][] => [
  ['the API secret', apiSecret],
  ['the webhook secret', webhookSecret.replace(/^whsec_/, '')],
  ['the access token', accessToken],
]

/** The masks of the access tokens in the headers of calls. */
const tokensIn = (calls: readonly JournalEntry[]): [string, string][] =>
  [...new Set(calls.map(tokenOf))].filter((mask) => mask.includes('…')).map((mask) => [issuedToken, mask])

/** Matches a token by the part of it that its mask shows. */
function beginningOf(mask: string): RegExp {
  const [shown = '', length = ''] = mask.split('…')
  const characters = Number.parseInt(length.slice(1), 10)
  return new RegExp(
    `(?<![\\w-])${shown.replaceAll(/\W/g, '\\$&')}[\\w-]{${Math.max(0, characters - shown.length)}}(?![\\w-])`,
  )
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return query
  }
}
