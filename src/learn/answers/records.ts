import type { Lookup, SeenOrder } from '../evidence/evidence.ts'

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A record in the answer to a lookup, with the lookup. */
export interface SeenRecord {
  readonly lookup: Lookup
  readonly fields: Fields
}

/** The records of an order in its lookups of some kinds, oldest first. A record that names another order or another
 *  account is left out. */
export function recordsOf(order: SeenOrder, ...operations: readonly Lookup['operation'][]): SeenRecord[] {
  return order.lookups
    .filter(({ operation }) => operations.includes(operation))
    .flatMap((lookup) =>
      lookup.records.filter((fields) => isOf(order, fields)).map((fields) => ({ lookup, fields })),
    )
}

function isOf({ requestId, clientId }: SeenOrder, fields: Fields): boolean {
  const isOwn = clientId === null || fields.clientId === undefined || fields.clientId === clientId
  return isOwn && fields.requestId === requestId
}

/** A text field that is not empty; undefined for anything else. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The latest time at which the answer to a call had arrived, by the clock of the capture. */
export const answeredBy = ({ at, ms }: { readonly at: number; readonly ms: number | null }): number =>
  at + (ms ?? 1000)
