import * as z from 'zod'
import { plannedFaults } from '../../domain/webhook/faults/faults.ts'
import { moment, momentOr, wallMoment, where } from './common.ts'

const headers = z.record(z.string(), z.string())

const attempt = z.strictObject({
  n: z.int().meta({ description: 'Counted from 1.' }),
  at: moment,
  wallAt: wallMoment,
  url: z.string(),
  outcome: z.enum(['accepted', 'refused', 'timeout', 'connection', 'unknown']).meta({
    description: '`unknown` until the attempt has ended, and after a crash that interrupted it.',
  }),
  status: z.int().nullable().meta({ description: 'The answer of the receiver, if there was one.' }),
  ms: z.int().nullable().meta({ description: 'Duration of the attempt in wall-clock milliseconds.' }),
  requestHeaders: headers,
  responseBody: z.string().nullable(),
  error: z.string().nullable(),
  bodyText: z.string().optional().meta({
    description:
      'The sent text, if it is another: a fault changed it, it has the number of another attempt, or several events.',
  }),
})

const plan = z
  .strictObject({
    by: z.array(z.string()).optional().meta({ description: 'The behaviours that a sweep applies to it.' }),
    settings: z.record(z.string(), z.unknown()).optional(),
    headers: headers.optional().meta({ description: 'The headers of `webhook.headers`, filled in.' }),
    faults: z.array(plannedFaults).optional(),
    attempts: z.int().optional(),
    delayed: z.literal(true).optional(),
    delayMs: z.int().optional(),
  })
  .meta({ description: 'How its attempts misbehave on purpose.' })

export const delivery = z
  .strictObject({
    id: z.string(),
    webhookId: z.string().meta({ description: 'The same in every attempt.' }),
    clientId: z.string(),
    requestId: z.string(),
    orderId: z.string(),
    eventType: z.string(),
    orderStatus: z.string(),
    orderType: z.string(),
    status: z.enum(['pending', 'delivered', 'dead', 'skipped', 'held']),
    url: z.string().nullable().meta({ description: 'The URL of the latest attempt; null before the first.' }),
    createdAt: moment,
    dueAt: momentOr('null while it waits for the answer to its create call.'),
    waitsFor: z.string().optional().meta({
      description:
        'The id of the older delivery that it waits for, with `webhook.order: strict`; left out for none.',
    }),
    plan: plan.nullable(),
    batch: z
      .strictObject({ id: z.string(), at: moment })
      .optional()
      .meta({
        description:
          'The webhook of several events with which it goes out (`webhook.batch`): the id of its first delivery, and when it was ' +
          'put together.',
      }),
    body: z.unknown().meta({ description: 'The body as JSON, or as text if it is not JSON.' }),
    bodyText: z.string().meta({
      description:
        'The exact bytes of the body: as the latest attempt sent it, or as the first one will. In a webhook of several events, ' +
        'this event.',
    }),
    attempts: z.array(attempt),
  })
  .meta({
    id: 'Delivery',
    description: 'One event on its way to one URL, with all its attempts.',
    example: {
      id: 'del_1',
      webhookId: 'msg_1',
      clientId: 'demo-client',
      requestId: 'r1',
      orderId: '019db0c5-1800-7dc6-a346-c012b4fb8cf6',
      eventType: 'service-sdk-transaction-status',
      orderStatus: 'COMPLETED',
      orderType: 'CHECKOUT',
      status: 'delivered',
      url: 'http://127.0.0.1:4601/',
      createdAt: 1790000002000,
      dueAt: 1790000002000,
      plan: null,
      body: { requestId: 'r1', orderStatus: 'COMPLETED' },
      bodyText: '{"requestId":"r1","orderStatus":"COMPLETED"}',
      attempts: [
        {
          n: 1,
          at: 1790000002000,
          wallAt: 1790000002000,
          url: 'http://127.0.0.1:4601/',
          outcome: 'accepted',
          status: 200,
          ms: 3,
          requestHeaders: { 'content-type': 'application/json' },
          responseBody: '',
          error: null,
        },
      ],
    },
  })

/** Fields common to the responses of hold and release. */
const about = { clientIds: z.array(z.string()), where }

export const held = z.strictObject({
  ...about,
  held: z.int().meta({ description: 'The number of deliveries that are on hold now.' }),
})

export const resendRequest = z
  .strictObject({
    ids: z
      .array(z.string().min(1))
      .min(1, 'choose at least one')
      .max(1_000, 'may name at most 1000 deliveries')
      .meta({ description: 'Ids of deliveries.' }),
  })
  .meta({ id: 'ResendRequest', example: { ids: ['del_1', 'del_2'] } })

export const resent = z.strictObject({
  items: z.array(
    z.strictObject({
      id: z.string(),
      error: z
        .strictObject({ code: z.string(), message: z.string() })
        .nullable()
        .meta({ description: 'Why it cannot be sent now; null if it is sent again.' }),
    }),
  ),
})

export const released = z.strictObject({
  ...about,
  released: z.int().meta({ description: 'The number of released deliveries.' }),
})
