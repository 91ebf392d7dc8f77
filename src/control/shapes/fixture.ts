import * as z from 'zod'
import { client } from './client.ts'

/** What a fixture has brought. */
export const loadedFixture = z
  .strictObject({
    clients: z.array(client.extend({ orders: z.int(), deliveries: z.int() })),
    replaced: z.array(z.string()).meta({ description: 'Clients that were there and gave way.' }),
  })
  .meta({ id: 'LoadedFixture' })

/** A fixture that ships. */
export const shippedFixture = z
  .strictObject({
    name: z.string(),
    description: z.string().nullable(),
    clients: z.array(
      z.strictObject({
        clientId: z.string(),
        orders: z.int().meta({ description: 'How many the file has; charges are made of them beside.' }),
      }),
    ),
  })
  .meta({ id: 'ShippedFixture' })

/** A fixture that ships, with its text. */
export const wholeFixture = shippedFixture
  .extend({ text: z.string().meta({ description: 'YAML.' }) })
  .meta({ id: 'WholeFixture' })
