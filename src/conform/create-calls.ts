import type { JournalEntry } from '../index.ts'
import type { Stage } from './stage.ts'

/** The create calls of an order that the application has made, the oldest first. */
export async function createCalls(requestId: string, stage: Stage): Promise<JournalEntry[]> {
  return (await stage.calls({ requestId })).filter(isCreate)
}

/** The requestIds of the orders that were made with the same e-mail and amount as this one, itself included: more than
 *  one are orders for the same purchase. */
export async function ordersLike(requestId: string, stage: Stage): Promise<string[]> {
  const all = (await stage.calls()).filter(isCreate)
  const own = all.find((call) => call.requestId === requestId)
  const alike = all.filter(
    (call) => (call.status === 200 || call.requestId === requestId) && own && isAlike(call, own),
  )
  return [...new Set(alike.flatMap((call) => call.requestId ?? []))]
}

/** Whether a create call was answered that its order is there already. */
export const isKnownAlready = ({ response }: JournalEntry): boolean =>
  Reflect.get(Object(memberOf(response, 'error')), 'code') === '7001'

const isCreate = ({ operation }: JournalEntry): boolean => operation?.startsWith('create-') ?? false

const isAlike = (one: JournalEntry, other: JournalEntry): boolean =>
  ['email', 'fiatAmount'].every((name) => memberOf(one.body, name) === memberOf(other.body, name))

function memberOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return Reflect.get(Object(value), name)
  } catch {
    return undefined
  }
}
