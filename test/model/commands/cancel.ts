import fc from 'fast-check'
import type { Kind } from '../command.ts'
import { same } from '../difference.ts'
import { clientIds, type World } from '../world.ts'
import { anyPick, type Pick, picked, pickWords } from './pick.ts'

interface Cancelling {
  readonly pick: Pick
  /** Whether the call says whose subscription it is. */
  readonly names: boolean
}

/** Ends the charges of a subscription, if one of the latest orders is one; under its requestId another client may
 *  have one too. */
export const cancel: Kind<Cancelling> = {
  name: 'cancel',
  weight: 4,
  parameters: fc.record({ pick: anyPick({ yes: 0, no: 4 }), names: fc.boolean() }),
  words: ({ pick, names }) =>
    `what is under the requestId of ${pickWords(pick)}${names ? '' : ', of any client'}`,
  act: async (world, { pick, names }) => {
    const requestId = picked(world, pick)?.requestId ?? 'r0'
    const query = names ? `?clientId=${pick.client}` : ''
    const path = `/_emulator/subscriptions/${requestId}/cancel${query}`
    const { status } = await world.bench.send(path, { method: 'POST' })
    same([`${status}`], [cancelInModel(world, requestId, names ? [pick.client] : clientIds)])
  },
}

/** @returns the status of the answer */
function cancelInModel({ sides }: World, requestId: string, clients: readonly Pick['client'][]): string {
  const found = clients.flatMap((client) => {
    const { model } = sides[client]
    return model.orders.flatMap((order) =>
      order.requestId === requestId && order.subscription !== null ? [{ model, order }] : [],
    )
  })
  const [only, ...others] = found
  if (only === undefined) return '404'
  return others.length === 0 && only.model.cancel(only.order) ? '200' : '409'
}
