import * as z from 'zod'
import { callWords } from '../../domain/journal/call-words.ts'
import { anyJson } from '../../domain/text/json-text.ts'

const word = z.enum([...callWords, 'delivery'])

export const fault = z
  .strictObject({
    id: z.string().meta({ examples: ['flt_8f14e45fceea167a5a36'] }),
    clientId: z.string().nullable().meta({ description: 'The client; null for all clients.' }),
    on: z.union([word, z.array(word)]),
    where: z.record(z.string(), z.string()),
    when: z.enum(['unchecked', 'before', 'stored']).nullable().meta({ description: 'null for deliveries.' }),
    effect: z.record(z.string(), anyJson).meta({ description: 'As in the request.' }),
    skip: z.int().meta({ description: 'Ignores this many matches first.' }),
    times: z
      .int()
      .nullable()
      .meta({ description: 'How often the fault happens; null for no limit until its end.' }),
    for: z.string().nullable().meta({ description: 'As in the request.' }),
    until: z.int().nullable().meta({
      description:
        'The end of the fault on its client’s clock. For a fault for all clients: null with `for`, because each client has its own clock.',
    }),
    probability: z.number().nullable(),
    calls: z.int().meta({ description: 'The number of calls, or delivery attempts, that matched so far.' }),
    hits: z.int().meta({ description: 'How often the fault has happened.' }),
    over: z.boolean().meta({ description: 'The fault is used up, or its time has passed.' }),
  })
  .meta({ id: 'Fault' })
