import fc from 'fast-check'
import { anyClient } from '../command.ts'
import type { ModelOrder } from '../model-order.ts'
import type { ClientId, World } from '../world.ts'

/** One of the latest orders of a client, charges included. */
export interface Pick {
  readonly client: ClientId
  /** Which of them, from the newest; counted round. */
  readonly back: number
  /** Only those of which there are still steps to come, or only those that have come to an end; null for all. */
  readonly ended: boolean | null
}

/** @param ended how many of ten picks look at those that have ended only, and how many at the others only */
export const anyPick = (ended: { yes: number; no: number }): fc.Arbitrary<Pick> =>
  fc.record({
    client: anyClient,
    back: fc.nat(4),
    ended: fc.nat(9).map((n) => (n < ended.yes ? true : n < ended.yes + ended.no ? false : null)),
  })

export const pickWords = ({ client, back, ended }: Pick): string =>
  `${client} the newest ${ended === null ? '' : ended ? 'ended ' : 'open '}order but ${back}`

/** Undefined where there is none. */
export function picked({ sides }: World, { client, back, ended }: Pick): ModelOrder | undefined {
  const orders = sides[client].model.orders.filter(
    ({ orderStatus }) => ended === null || ended === ['COMPLETED', 'FAILED'].includes(orderStatus),
  )
  return orders.at(-1 - (back % Math.max(1, orders.length)))
}
