import * as z from 'zod'
import { safeHeaders } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'
import type { ControlParts } from '../parts.ts'

/** Response of `/health`. A header has the process id, for a start that finds its port in use. */
export const healthNow = ({ version, uptimeMs }: Pick<ControlParts, 'version' | 'uptimeMs'>): Response =>
  new Response(JSON.stringify({ status: 'ok', version, uptimeMs: uptimeMs() }), {
    headers: { 'content-type': 'application/json', 'emulator-pid': String(process.pid), ...safeHeaders },
  })

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
