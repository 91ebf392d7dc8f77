import type { z } from 'zod'
import { delivery } from '../shapes/delivery.ts'
import { order } from '../shapes/order.ts'
import { journalEntry } from '../shapes/request.ts'

/** What can be waited for. */
export const watchedKinds = ['order', 'delivery', 'request'] as const
export type WatchedKind = (typeof watchedKinds)[number]

/** The schemas of what a wait answers. */
export const shownAs = { order, delivery, request: journalEntry } satisfies Record<WatchedKind, z.ZodType>

/** With `create-order`, which stands for both ways to create one, spelled out: no other operation begins so. */
export function spelledOut<T extends object>(asked: T): T {
  return 'operation' in asked && asked.operation === 'create-order'
    ? { ...asked, operation: 'create-*' }
    : asked
}
