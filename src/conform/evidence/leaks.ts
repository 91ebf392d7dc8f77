import { masked } from '../../domain/journal/masking.ts'
import type { JournalEntry, TestClient } from '../../index.ts'
import type { ApplicationProcess } from '../application/process.ts'
import type { Leak } from '../stage/case-context.ts'
import { isForToken, tokenOf } from './service-calls.ts'

/** Finds secrets of a client in the bodies and queries of its application's calls. The request log masks each secret,
 *  so the masks are what is searched. Requests for a token contain the API secret rightly. */
export function leaksInCalls(calls: readonly JournalEntry[], client: TestClient): Leak[] {
  const secrets = [...masksOf(client), ...tokensIn(calls, client)]
  return calls
    .filter((call) => !isForToken(call))
    .flatMap(({ method, path, body }) => {
      const [route = '', query = ''] = path.split('?')
      const places = [
        [`the query of ${method} ${route}`, decoded(query)],
        [`the body of ${method} ${route}`, body],
      ] as const
      return places.flatMap(([where, text]) =>
        secrets.filter(([, mask]) => text.includes(mask)).map(([secret]) => ({ secret, where })),
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
  const issued = [...tokensIn(calls, client)].filter(([, mask]) => beginningOf(mask).test(output))
  return [...own, ...issued].map(([secret]) => ({ secret, where }))
}

/** Shorter secrets could be part of any text. */
const shortest = 8

/** The client's own secrets, each with its name. */
const ownSecrets = ({ apiSecret, webhookSecret, accessToken }: TestClient): [string, string][] => [
  ['the API secret', apiSecret],
  ['the webhook secret', webhookSecret.replace(/^whsec_/, '')],
  ['the access token', accessToken],
]

/** The masks of the client's own secrets. The webhook secret is masked differently with and without its prefix. */
const masksOf = (client: TestClient): [string, string][] => [
  ...ownSecrets(client).map(([secret, value]): [string, string] => [secret, masked(value)]),
  ['the webhook secret', masked(client.webhookSecret)],
]

/** The masks of the access tokens in the headers of calls, but for the client's own. */
const tokensIn = (calls: readonly JournalEntry[], { accessToken }: TestClient): [string, string][] =>
  [...new Set(calls.map(tokenOf))]
    .filter((mask) => mask.includes('…') && mask !== masked(accessToken))
    .map((mask) => ['an access token', mask])

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
