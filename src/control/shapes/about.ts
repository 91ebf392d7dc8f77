import * as z from 'zod'

const ofAll = 'null in the answer for one client.'

export const about = z
  .strictObject({
    version: z.string(),
    runtime: z.string().meta({ description: 'The version of Node.' }),
    seed: z.string().meta({ description: 'Determines all ids.' }),
    database: z.string().meta({ description: 'The database file, or `:memory:`.' }),
    uptimeMs: z.int().meta({ description: 'Wall-clock time since the start.' }),
    memoryBytes: z.int().meta({ description: 'The memory that the process uses.' }),
    holds: z
      .strictObject({
        clients: z.int(),
        orders: z.int(),
        pendingDeliveries: z.int(),
        heldDeliveries: z.int(),
        keptRequests: z
          .int()
          .nullable()
          .meta({ description: `Entries in the request log; ${ofAll}` }),
        prunedRequests: z
          .int()
          .nullable()
          .meta({
            description: `Entries that newer ones replaced, since the database was created; ${ofAll}`,
          }),
      })
      .meta({ description: 'Current numbers.' }),
    sinceStart: z
      .strictObject({
        orders: z.int(),
        requests: z.int(),
        refusals: z.int().meta({ description: 'Requests that were refused.' }),
        attempts: z.int().meta({ description: 'Attempts to send a webhook.' }),
        delivered: z.int(),
        dead: z.int(),
        skipped: z.int(),
      })
      .meta({ description: 'Numbers since the start of the process.' }),
  })
  .meta({ id: 'About' })
