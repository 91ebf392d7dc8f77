import { z } from 'zod'
import { client } from './client.ts'

/** What a fixture has brought. */
export const loadedFixture = z
  .strictObject({
    clients: z.array(client.extend({ orders: z.int(), deliveries: z.int() })),
    replaced: z.array(z.string()).meta({ description: 'Clients that were there and gave way.' }),
  })
  .meta({ id: 'LoadedFixture' })
