import { masked } from '../../domain/journal/masking.ts'
import type { JournalEntry, TestClient } from '../../index.ts'
import { at, jsonIn } from '../application/json-pointer.ts'
import type { CaseContext } from '../stage/case-context.ts'

/** Whether a call asks for an access token. */
export const isForToken = ({ operation }: JournalEntry): boolean => operation === 'access-token'

/** Whether a call was refused because its access token had expired. */
export const isRefusedAsExpired = ({ diagnosis }: JournalEntry): boolean =>
  diagnosis?.cause === 'token.expired'

/** Access token of a call, as the journal has it: its first characters. */
export const tokenOf = ({ headers }: JournalEntry): string => headers['access-token'] ?? ''

/** Whether the application of a client has ever got an access token. It may have asked so long ago that the journal no
 *  longer has that call; then its other calls carry a token that is not the client's own. */
export async function asksForTokens(client: TestClient): Promise<boolean> {
  const calls = await client.requests.list()
  const own = masked(client.accessToken)
  return calls.some(
    (call) =>
      isForToken(call) ||
      ((call.status === 200 || isRefusedAsExpired(call)) && ![own, ''].includes(tokenOf(call))),
  )
}

/** Whether an application gets nowhere because its access token has expired: none of its calls has gone well since,
 *  except for another token.
 *  @param calls the oldest first */
export function tokenRanOut(calls: readonly JournalEntry[]): boolean {
  const expired = calls.findLastIndex(isRefusedAsExpired)
  return expired !== -1 && !calls.slice(expired).some((call) => call.status === 200 && !isForToken(call))
}

/** The create calls of an order that the application has made, the oldest first. */
export async function createCalls(requestId: string, context: CaseContext): Promise<JournalEntry[]> {
  return (await context.calls({ requestId })).filter(isCreate)
}

/** The requestIds that the application has created orders for since the case began. */
export async function requestIdsOf(context: CaseContext): Promise<Set<string>> {
  return new Set((await context.calls()).filter(isCreate).flatMap(({ requestId }) => requestId ?? []))
}

/** The requestIds of the orders that were made with the same e-mail and amount as this one, itself included: more than
 *  one are orders for the same purchase. The service is asked which there are, since the answer of a create call that has
 *  made one may have been lost.
 *  @param earlier orders for other purchases: all customers may have one e-mail in a test */
export async function ordersLike(
  requestId: string,
  earlier: ReadonlySet<string>,
  context: CaseContext,
): Promise<string[]> {
  const all = (await context.calls()).filter(isCreate)
  const own = all.find((call) => call.requestId === requestId)
  if (own === undefined) return [requestId]
  const alike = all.filter((call) => isAlike(call, own)).flatMap((call) => call.requestId ?? [])
  const others = [...new Set(alike)].filter((name) => name !== requestId && !earlier.has(name))
  const found = await Promise.all(
    others.map((name) => context.client.orders.list({ requestId: name, limit: 1 })),
  )
  return [requestId, ...others.filter((_, index) => found[index]?.length === 1)]
}

/** Whether a create call was answered that its order is there already. */
export const isKnownAlready = ({ response }: JournalEntry): boolean =>
  at(jsonIn(response), '/error/code') === '7001'

/** Whether a call asks for an order to be made, of whatever kind. */
export const isCreate = ({ operation }: JournalEntry): boolean => operation?.startsWith('create-') ?? false

/** Whether two create calls are for the same purchase, as far as that can be told. */
export const isAlike = (one: JournalEntry, other: JournalEntry): boolean =>
  ['/email', '/fiatAmount'].every((member) => at(jsonIn(one.body), member) === at(jsonIn(other.body), member))
