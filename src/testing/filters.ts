import type { ListMember } from '../store/list-members.ts'
import type { Delivery, JournalEntry, Order } from './shapes.ts'

/** What can be waited for. */
export interface Watched {
  readonly order: Order
  readonly delivery: Delivery
  /** An entry of the journal. */
  readonly request: JournalEntry
}

/** Which things of a list: equality on members, of which a text may end in `*`. */
export type Filter<Kind extends 'orders' | 'deliveries' | 'requests'> = {
  readonly [Member in ListMember<Kind>]?: string | number | boolean | undefined
} & {
  /** A text anywhere in what people know such a thing by: ids, e-mail, path. */
  readonly search?: string | undefined
  /** What stands first; the oldest if left out. */
  readonly order?: 'oldest' | 'newest' | undefined
  /** So many at most; all if left out. */
  readonly limit?: number | undefined
}

/** Which things fit: equality on members. A text may end in `*`; null fits what is not there; a dotted name goes into
 *  objects, lists (`attempts.0.status`) and JSON bodies (`body.fiatAmount`). */
export type WhereOf<Thing> = {
  readonly [Member in keyof Thing & string]?: Wanted | undefined
} & { readonly [dottedName: string]: Wanted | undefined }

/** What a member is to be. */
export type Wanted = string | number | boolean | null
