import * as z from 'zod'
import { client } from './client.ts'

/** Schema of the result of loading a fixture. */
export const loadedFixture = z
  .strictObject({
    clients: z.array(client.extend({ orders: z.int(), deliveries: z.int() })),
    replaced: z.array(z.string()).meta({ description: 'The clients that were replaced.' }),
  })
  .meta({ id: 'LoadedFixture' })

export const shippedFixture = z
  .strictObject({
    name: z.string(),
    description: z.string().nullable(),
    clients: z.array(
      z.strictObject({
        clientId: z.string(),
        orders: z
          .int()
          .meta({ description: 'The number of orders in the file, without the charges that they create.' }),
      }),
    ),
  })
  .meta({ id: 'ShippedFixture' })

export const wholeFixture = shippedFixture
  .extend({ text: z.string().meta({ description: 'YAML.' }) })
  .meta({ id: 'WholeFixture' })
