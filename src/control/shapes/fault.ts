import * as z from 'zod'
import { anyJson } from '../../domain/any-json.ts'
import { orderlessOperations, orderOperations } from '../../domain/scenario/answer-rules.ts'

const word = z.enum([...orderOperations, ...orderlessOperations, 'delivery'])

/** A planned fault as the control API shows it. */
export const fault = z
  .strictObject({
    id: z.string().meta({ examples: ['flt_8f14e45fceea167a5a36'] }),
    clientId: z.string().nullable().meta({ description: 'Whose; null for all clients.' }),
    on: z.union([word, z.array(word)]),
    where: z.record(z.string(), z.string()),
    when: z.enum(['unchecked', 'before', 'stored']).nullable().meta({ description: 'null for deliveries.' }),
    effect: z.record(z.string(), anyJson).meta({ description: 'As it was asked for.' }),
    skip: z.int().meta({ description: 'So many that it fits are let pass first.' }),
    times: z.int().nullable().meta({ description: 'How often it is done; null for all until it ends.' }),
    for: z.string().nullable().meta({ description: 'As it was asked for.' }),
    until: z.int().nullable().meta({
      description:
        'From this moment of its client’s clock on it is over. Of all clients: null with `for`, because each has a clock of its own.',
    }),
    probability: z.number().nullable(),
    calls: z.int().meta({ description: 'How many calls, or attempts of deliveries, it has fitted so far.' }),
    hits: z.int().meta({ description: 'How many of them it was done to.' }),
    over: z.boolean().meta({ description: 'It is used up, or its time has passed.' }),
  })
  .meta({ id: 'Fault' })
