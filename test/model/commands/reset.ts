import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import type { ClientId } from '../world.ts'

/** Resets one client. Later webhooks may have the ids of earlier ones. */
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
