import fc from 'fast-check'
import type { Kind } from '../command.ts'
import { clientIds } from '../world.ts'

const scopes = ['', ...clientIds.map((clientId) => `?clientId=${clientId}`)] as const

/** Saves all data or one client's, removes it, and restores it. Nothing may differ afterwards. */
export const restore: Kind<{ query: string }> = {
  name: 'save and restore',
  weight: 3,
  parameters: fc.record({ query: fc.constantFrom(...scopes) }),
  words: ({ query }) => query.replace('?clientId=', '') || 'everything',
  act: async ({ bench }, { query }) => {
    const snapshot = (await bench.control(`/snapshot${query}`)).json
    if (query === '') await bench.control('/reset', 'POST')
    else await bench.control(`/clients/${query.replace('?clientId=', '')}`, 'DELETE')
    await bench.control(`/snapshot${query}`, 'PUT', snapshot)
  },
}
