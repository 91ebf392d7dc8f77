import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import type { ClientId } from '../world.ts'

/** Asks the service for a webhook of an order that does not exist. It goes the way of all others (N54). */
export const simulate: Kind<{ client: ClientId; orderStatus: string }> = {
  name: 'simulate for',
  weight: 2,
  parameters: fc.record({ client: anyClient, orderStatus: fc.constantFrom('CREATED', 'COMPLETED') }),
  words: ({ client, orderStatus }) => `${client} ${orderStatus}`,
  act: async ({ sides }, { client, orderStatus }) => {
    const { real, model } = sides[client]
    const requestId = `s${model.simulations.length}`
    const { status } = await real.simulate(real.simulation(requestId, { orderStatus }))
    same([`${status}`], [model.simulate(requestId, orderStatus) ? '200' : '400'])
  },
}
