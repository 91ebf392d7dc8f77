import type { z } from 'zod'
import { didYouMean } from '../../domain/nearest.ts'
import type { Where } from '../../domain/where.ts'
import { delivery } from '../shapes/delivery.ts'
import { order } from '../shapes/order.ts'
import { journalEntry } from '../shapes/request.ts'
import { type MemberNames, memberNames } from './member-names.ts'

/** What can be waited for. */
export const watchedKinds = ['order', 'delivery', 'request'] as const
export type WatchedKind = (typeof watchedKinds)[number]

/** The members that a `where` may name are those that a GET of the thing shows. */
const names: Readonly<Record<WatchedKind, MemberNames>> = {
  order: memberNames(order),
  delivery: memberNames(delivery, ['bodyText']),
  request: memberNames(journalEntry, ['body', 'response']),
}

/** What is wrong with the names in a `where`: those that things of this kind do not have, with the nearest that they
 *  do have, and those of objects and lists, which are like no value. */
export function strangeNames(kind: WatchedKind, where: Where): { member: string; message: string }[] {
  const { closed, open, compound } = names[kind]
  return Object.entries(where).flatMap(([member, wanted]) => {
    const example = compound.get(member)
    if (example !== undefined && wanted !== null && wanted !== '*')
      return [{ member, message: `has members of its own; name one, like \`${example}\`` }]
    if (closed.has(member) || open.some((head) => member.startsWith(`${head}.`))) return []
    const things = kind === 'order' ? 'an order' : `a ${kind}`
    return [{ member, message: `is not a member of ${things}${didYouMean(member, closed)}` }]
  })
}

/** With `create-order`, which stands for both ways to create one, spelled out: no other operation begins so. */
export function spelledOut<T extends object>(asked: T): T {
  return 'operation' in asked && asked.operation === 'create-order'
    ? { ...asked, operation: 'create-*' }
    : asked
}

/** The schema of what a wait for this kind answers. */
export const shownAs = { order, delivery, request: journalEntry } satisfies Record<WatchedKind, z.ZodType>
