import * as z from 'zod'
import { json } from '../answer.ts'
import { idsOf, nullIfGone } from '../clock-walk.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'
import { clockReading } from '../shapes/client.ts'
import { moment } from '../shapes/common.ts'
import { countsByStatus } from '../shapes/overview.ts'

const faults = z.int().meta({ description: 'Active planned faults.' })

export const clientStatus = z
  .strictObject({
    clientId: z.string(),
    clock: clockReading,
    webhookUrl: z.string().nullable(),
    orders: countsByStatus.meta({ description: 'The number of orders by `orderStatus`.' }),
    deliveries: countsByStatus.meta({ description: 'The number of deliveries by `status`.' }),
    nextDueAt: moment.nullable().meta({ description: 'The next due time; null if nothing is due.' }),
    faults,
  })
  .meta({ id: 'ClientStatus' })

export const status = z
  .strictObject({
    version: z.string(),
    uptimeMs: z.int(),
    seed: z.string(),
    faults: faults.meta({ description: 'Active planned faults for all clients.' }),
    clients: z.array(clientStatus),
  })
  .meta({
    id: 'Status',
    example: {
      version: '0.1.0',
      uptimeMs: 1234,
      seed: 'test',
      faults: 0,
      clients: [
        {
          clientId: 'demo-client',
          clock: { mode: 'real', now: 1790000000000, speed: 1 },
          webhookUrl: null,
          orders: { CREATED: 1, COMPLETED: 2 },
          deliveries: { delivered: 5 },
          nextDueAt: 1790000002000,
          faults: 0,
        },
      ],
    },
  })

export const statusCalls = [
  controlCall({
    method: 'GET',
    path: '/status',
    name: 'getStatus',
    summary: 'Count the orders and deliveries of each client, and show what is due next',
    description: 'The command `status` prints the result.',
    query: clientQuery,
    body: noBody,
    answers: { 200: status },
    handle: async ({ query: { clientId } }, parts) => {
      const { store, clients, scheduler, plannedFaults: faultPlans, version, uptimeMs, seed } = parts
      const counts = await store.counts()
      const open = faultPlans.openByClient()
      const listed = await Promise.all(
        idsOf(clientId, parts).map(async (id) => {
          const { mode, speed } = scheduler.clockState(id)
          return {
            clientId: id,
            clock: { mode, now: scheduler.now(id), speed },
            webhookUrl: clients.get(id).webhookUrl,
            orders: counts.orders.get(id) ?? {},
            deliveries: counts.deliveries.get(id) ?? {},
            nextDueAt: await scheduler.nextDue(id).catch(nullIfGone),
            faults: open.get(id) ?? 0,
          }
        }),
      )
      return json({ version, uptimeMs: uptimeMs(), seed, faults: open.get(null) ?? 0, clients: listed })
    },
  }),
]
