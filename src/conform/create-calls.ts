import type { JournalEntry } from '../index.ts'
import { at, jsonIn } from './json-pointer.ts'
import type { Stage } from './stage.ts'

/** The create calls of an order that the application has made, the oldest first. */
export async function createCalls(requestId: string, stage: Stage): Promise<JournalEntry[]> {
  return (await stage.calls({ requestId })).filter(isCreate)
}

/** The requestIds that the application has created orders for since the case began. */
export async function requestIdsOf(stage: Stage): Promise<Set<string>> {
  return new Set((await stage.calls()).filter(isCreate).flatMap(({ requestId }) => requestId ?? []))
}

/** The requestIds of the orders that were made with the same e-mail and amount as this one, itself included: more than
 *  one are orders for the same purchase.
 *  @param earlier orders for other purchases: all customers may have one e-mail in a test */
export async function ordersLike(
  requestId: string,
  earlier: ReadonlySet<string>,
  stage: Stage,
): Promise<string[]> {
  const all = (await stage.calls()).filter(isCreate)
  const own = all.find((call) => call.requestId === requestId)
  if (own === undefined) return [requestId]
  const made = all.filter((call) => call.status === 200 && isAlike(call, own))
  const names = made.flatMap((call) => call.requestId ?? []).filter((name) => !earlier.has(name))
  return [...new Set([requestId, ...names])]
}

/** Whether a create call was answered that its order is there already. */
export const isKnownAlready = ({ response }: JournalEntry): boolean =>
  at(jsonIn(response), '/error/code') === '7001'

const isCreate = ({ operation }: JournalEntry): boolean => operation?.startsWith('create-') ?? false

const isAlike = (one: JournalEntry, other: JournalEntry): boolean =>
  ['/email', '/fiatAmount'].every((member) => at(jsonIn(one.body), member) === at(jsonIn(other.body), member))
