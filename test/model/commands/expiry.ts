import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import type { OnExpiry } from '../model-order.ts'
import type { ClientId } from '../world.ts'

/** What becomes of the client's coming orders when they expire unpaid (N12). */
export const expiry: Kind<{ client: ClientId; onExpiry: OnExpiry }> = {
  name: 'at their expiry',
  weight: 2,
  parameters: fc.record({ client: anyClient, onExpiry: fc.constantFrom('keep', 'fail', 'abandon') }),
  words: ({ client, onExpiry }) => `${onExpiry} the coming orders of ${client}`,
  act: async ({ sides }, { client, onExpiry }) => {
    const { real, model } = sides[client]
    await real.change({ settings: { 'orders.onExpiry': onExpiry } })
    model.onExpiry = onExpiry
  },
}
