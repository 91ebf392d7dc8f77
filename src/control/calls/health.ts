import * as z from 'zod'
import { controlCall, noBody } from '../control-call.ts'
import { healthNow } from '../health-now.ts'
import { clientQuery } from '../input.ts'

/** `/health`: outside of the guards, because a health check has neither token nor name. */
export const healthCalls = [
  controlCall({
    method: 'GET',
    path: '/health',
    name: 'getHealth',
    summary: 'Check that the emulator is running',
    guarded: false,
    // The caller may not learn which clients exist.
    clientMayBeNew: true,
    query: clientQuery,
    body: noBody,
    answers: {
      200: z
        .strictObject({ status: z.literal('ok'), version: z.string(), uptimeMs: z.int() })
        .meta({ id: 'Health', example: { status: 'ok', version: '0.1.0', uptimeMs: 1234 } }),
    },
    handle: async (_, parts) => healthNow(parts),
  }),
]
