import type { JournalEntry } from '../../index.ts'
import { at, jsonIn } from '../application/json-pointer.ts'
import type { Stage } from '../stage/stage.ts'

/** The create calls of an order that the application has made, the oldest first. */
export async function createCalls(requestId: string, stage: Stage): Promise<JournalEntry[]> {
  return (await stage.calls({ requestId })).filter(isCreate)
}

/** The requestIds that the application has created orders for since the case began. */
export async function requestIdsOf(stage: Stage): Promise<Set<string>> {
  return new Set((await stage.calls()).filter(isCreate).flatMap(({ requestId }) => requestId ?? []))
}

/** The requestIds of the orders that were made with the same e-mail and amount as this one, itself included: more than
 *  one are orders for the same purchase. The service is asked which there are, since the answer of a create call that has
 *  made one may have been lost.
 *  @param earlier orders for other purchases: all customers may have one e-mail in a test */
export async function ordersLike(
  requestId: string,
  earlier: ReadonlySet<string>,
  stage: Stage,
): Promise<string[]> {
  const all = (await stage.calls()).filter(isCreate)
  const own = all.find((call) => call.requestId === requestId)
  if (own === undefined) return [requestId]
  const alike = all.filter((call) => isAlike(call, own)).flatMap((call) => call.requestId ?? [])
  const others = [...new Set(alike)].filter((name) => name !== requestId && !earlier.has(name))
  const found = await Promise.all(
    others.map((name) => stage.client.orders.list({ requestId: name, limit: 1 })),
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
