import * as z from 'zod'

const ofAll = 'null where one client is asked for.'

/** What `GET /about` answers. */
export const about = z
  .strictObject({
    version: z.string(),
    runtime: z.string().meta({ description: 'The version of Node.' }),
    seed: z.string().meta({ description: 'Ids follow from it.' }),
    database: z.string().meta({ description: 'Its file, or `:memory:`.' }),
    uptimeMs: z.int().meta({ description: 'Wall time since the start.' }),
    memoryBytes: z.int().meta({ description: 'What the process has of the machine’s memory.' }),
    holds: z
      .strictObject({
        clients: z.int(),
        orders: z.int(),
        pendingDeliveries: z.int(),
        heldDeliveries: z.int(),
        keptRequests: z
          .int()
          .nullable()
          .meta({ description: `Entries of the journal; ${ofAll}` }),
        prunedRequests: z
          .int()
          .nullable()
          .meta({ description: `Entries that gave way to newer ones, since the database began; ${ofAll}` }),
      })
      .meta({ description: 'How much there is at this moment.' }),
    sinceStart: z
      .strictObject({
        orders: z.int(),
        requests: z.int(),
        refusals: z.int().meta({ description: 'Requests that were refused.' }),
        attempts: z.int().meta({ description: 'Of webhooks.' }),
        delivered: z.int(),
        dead: z.int(),
        skipped: z.int(),
      })
      .meta({ description: 'What has happened since the start of the process.' }),
  })
  .meta({ id: 'About' })
