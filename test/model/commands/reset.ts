import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import type { ClientId } from '../world.ts'

/** Empties one client's world. What it is told afterwards may have the ids of what it was told before. */
export const reset: Kind<{ client: ClientId }> = {
  name: 'reset',
  weight: 1,
  parameters: fc.record({ client: anyClient }),
  words: ({ client }) => client,
  act: async ({ sides, bench, faults }, { client }) => {
    await bench.control(`/reset?clientId=${client}`, 'POST', { keep: ['clients'] })
    sides[client].model.reset()
    faults.remove(client)
    bench.endpoints.forget(client)
  },
}
