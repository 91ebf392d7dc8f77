import * as z from 'zod'
import { controlCall, noBody } from '../control-call.ts'
import { healthNow } from '../health-now.ts'
import { clientQuery } from '../input.ts'

/** `/health`: answered before the guards, because health checks have neither token nor allowed host name. */
export const healthCalls = [
  controlCall({
    method: 'GET',
    path: '/health',
    name: 'getHealth',
    summary: 'Check that the emulator is running',
    guarded: false,
    // An unguarded call must not reveal which clients exist.
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
