import { masked } from '../../domain/journal/masking.ts'
import type { JournalEntry, TestClient } from '../../index.ts'
import { at, jsonIn } from '../application/json-pointer.ts'
import type { CaseContext } from '../stage/case-context.ts'

/** Whether a call requests an access token. */
export const isForToken = ({ operation }: JournalEntry): boolean => operation === 'access-token'

/** Whether a call was refused because its access token had expired. */
export const isRefusedAsExpired = ({ diagnosis }: JournalEntry): boolean =>
  diagnosis?.cause === 'token.expired'

/** Returns the access token of a call, of which the request log has only the first characters. */
export const tokenOf = ({ headers }: JournalEntry): string => headers['access-token'] ?? ''

/** Whether the application of a client has ever requested an access token. That call may no longer be in the request
 *  log; then other calls have a token that is not the client's own. */
export async function asksForTokens(client: TestClient): Promise<boolean> {
  const calls = await client.requests.list()
  const own = masked(client.accessToken)
  return calls.some(
    (call) =>
      isForToken(call) ||
      ((call.status === 200 || isRefusedAsExpired(call)) && ![own, ''].includes(tokenOf(call))),
  )
}

/** Whether all calls of an application fail because its access token has expired, except for token requests.
 *  @param calls oldest first */
export function tokenRanOut(calls: readonly JournalEntry[]): boolean {
  const expired = calls.findLastIndex(isRefusedAsExpired)
  return expired !== -1 && !calls.slice(expired).some((call) => call.status === 200 && !isForToken(call))
}

/** The application's create calls for an order, oldest first. */
export async function createCalls(requestId: string, context: CaseContext): Promise<JournalEntry[]> {
  return (await context.calls({ requestId })).filter(isCreate)
}

/** The application's lookups of an order, oldest first; also those of many orders whose answers contain it. */
export async function lookupsOf(requestId: string, context: CaseContext): Promise<JournalEntry[]> {
  const all = await context.calls()
  return all.filter(
    ({ operation, ...call }) =>
      (operation === 'orders' || operation === 'crypto-orders') &&
      (call.requestId === requestId || call.response.includes(requestId)),
  )
}

/** The requestIds for which the application has created orders since the case began. */
export async function requestIdsOf(context: CaseContext): Promise<Set<string>> {
  return new Set((await context.calls()).filter(isCreate).flatMap(({ requestId }) => requestId ?? []))
}

/** The requestIds of orders with the same e-mail and amount as this one, itself included: several are orders for the
 *  same purchase. They are read from the service, because the answer of a successful create call may have been lost.
 *  @param earlier orders for other purchases: in a test all customers may have one e-mail */
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

/** Whether a create call was answered with "order exists". */
export const isKnownAlready = ({ response }: JournalEntry): boolean =>
  at(jsonIn(response), '/error/code') === '7001'

/** Whether the caller has closed the connection before the answer. */
export const isGivenUp = ({ status }: JournalEntry): boolean => status === 0

/** Whether a call creates an order of any kind. */
export const isCreate = ({ operation }: JournalEntry): boolean => operation?.startsWith('create-') ?? false

/** Whether two create calls are for the same purchase, as far as can be seen. */
export const isAlike = (one: JournalEntry, other: JournalEntry): boolean =>
  ['/email', '/fiatAmount'].every((member) => at(jsonIn(one.body), member) === at(jsonIn(other.body), member))
