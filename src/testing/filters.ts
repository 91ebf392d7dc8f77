import type { ListMember } from '../store/list-members.ts'
import type { Delivery, JournalEntry, Order } from './shapes.ts'

/** What `waitFor` can wait for. */
export interface Watched {
  /** With `waitFor('order', …)`. */
  readonly order: Order
  /** With `waitFor('delivery', …)`. */
  readonly delivery: Delivery
  /** With `waitFor('request', …)`: an entry of the request log. */
  readonly request: JournalEntry
}

/** Which entries of a list match: fields that must be equal, as in the list call of the control API. A text may end in
 *  `*`. Three fields are options: */
export type Filter<Kind extends 'orders' | 'deliveries' | 'requests'> = {
  readonly [Member in ListMember<Kind>]?: string | number | boolean | undefined
} & {
  /** A text anywhere in ids, e-mail or path. */
  readonly search?: string | undefined
  /** Which come first. Default: `oldest`. */
  readonly order?: 'oldest' | 'newest' | undefined
  /** The most entries to return. Default: all. */
  readonly limit?: number | undefined
}

/** Which orders, deliveries, requests or webhooks match: fields that must be equal. A text may end in `*`; `null`
 *  matches a missing field; dotted names reach into objects, lists (`attempts.0.status`) and JSON bodies
 *  (`body.fiatAmount`). */
export type WhereOf<Thing> = {
  readonly [Member in keyof Thing & string]?: Wanted | undefined
} & { readonly [dottedName: string]: Wanted | undefined }

/** The expected value of a field. */
export type Wanted = string | number | boolean | null
