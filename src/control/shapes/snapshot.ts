import * as z from 'zod'

/** What tells a snapshot from other JSON. */
export const snapshotFormat = 'payment-order-emulator/snapshot'

const table = z.strictObject({
  columns: z.array(z.string()),
  // Rows are looked at one by one where they are taken in, each value by its column.
  rows: z.array(z.unknown()).meta({ items: { type: 'array', items: {} } }),
})

/** A snapshot: what the database has, table by table. */
export const snapshotDocument = z
  .strictObject({
    format: z.literal(snapshotFormat),
    version: z.string().max(100).meta({ description: 'The version of the emulator that took it.' }),
    schema: z.int().min(1).meta({
      description: 'The schema version of its tables; only an emulator with the same schema can restore it.',
    }),
    wallAt: z.int().meta({ description: 'When the snapshot was taken.' }),
    clientId: z
      .string()
      .nullable()
      .meta({ description: 'The client in the snapshot; null if it contains everything.' }),
    tables: z.record(z.string(), table),
  })
  // Nobody writes one by hand: the commands of the reference page keep it in this file.
  .meta({ id: 'Snapshot', 'x-file': 'snapshot.json' })
