import * as z from 'zod'
import { clockReading } from './client.ts'

/** The defaults of new clients, and the clock of each client that there is. */
export const allClocks = clockReading
  .extend({ clients: z.array(clockReading.extend({ clientId: z.string() })) })
  .meta({
    id: 'Clocks',
    description: 'The clock of new clients, and the clock of each client.',
    example: {
      mode: 'real',
      now: 1790000000000,
      speed: 1,
      clients: [{ clientId: 'demo-client', mode: 'real', now: 1790000000000, speed: 1 }],
    },
  })

/** One clock with `?clientId=`, all of them without. */
export const clocks = z.union([clockReading, allClocks])
