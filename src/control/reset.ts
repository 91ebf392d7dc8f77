import * as z from 'zod'
import { controlCall } from './control-call.ts'
import { clientQuery } from './input.ts'
import { json } from './json-answer.ts'

const resetRequest = z
  .strictObject({ keep: z.array(z.enum(['clients', 'scenarios'])).default([]) })
  .meta({ id: 'ResetRequest', example: { keep: ['clients'] } })

/** `/reset`: back to the start. */
export const resetCalls = [
  controlCall({
    method: 'POST',
    path: '/reset',
    name: 'reset',
    summary: 'Reset everything, or one client, to the initial state',
    query: clientQuery,
    body: resetRequest,
    answers: {
      200: z.strictObject({ reset: z.string().meta({ description: 'The clientId, or `all`.' }) }),
    },
    errors: ['stopping'],
    handle: async ({ query: { clientId }, body: { keep } }, { reset }) => {
      await reset({
        clientId,
        keepClients: keep.includes('clients'),
        keepScenarios: keep.includes('scenarios'),
      })
      return json({ reset: clientId ?? 'all' })
    },
  }),
]
