import * as z from 'zod'
import { type lanes, tones } from '../../domain/sequence/sequence.ts'
import { moment } from './common.ts'

const lane = z.enum(['application', 'service', 'webhook'] satisfies (keyof typeof lanes)[])

const message = z.strictObject({
  id: z.string(),
  kind: z.enum(['call', 'answer', 'note']).meta({
    description: '`note`: an event of the lane `from`, without an arrow, such as a change of the order.',
  }),
  from: lane,
  to: lane,
  at: moment.meta({
    description: 'On the client’s clock. An answer of the webhook URL has the time of its attempt.',
  }),
  text: z.string(),
  more: z.string().meta({
    description: 'Further facts, such as why it was refused or which faults it had; empty for none.',
  }),
  tone: z
    .enum(tones)
    .meta({ description: '`waiting` also marks an answer that a scenario or fault overrode.' }),
  lost: z.boolean().meta({ description: 'Whether it did not arrive: cut, timed out, not connected.' }),
  count: z.int().meta({ description: 'The number of equal calls in a row that it stands for.' }),
  about: z
    .strictObject({ type: z.enum(['request', 'delivery']), id: z.string() })
    .nullable()
    .meta({ description: 'The entry of the request log or the delivery that it shows; null for a note.' }),
})

/** Schema of what happened to an order, as arrows between lanes. */
export const sequence = z
  .strictObject({
    title: z.string(),
    messages: z.array(message).meta({ description: 'In the order in which they happened.' }),
    left: z.int().meta({ description: 'The number of older messages that are left out.' }),
  })
  .meta({
    id: 'Sequence',
    description:
      'What happened to an order, as arrows between the application, the service and the webhook URL.',
    example: {
      title: 'Order r1',
      messages: [
        {
          id: 'attempt-del_1-1',
          kind: 'call',
          from: 'service',
          to: 'webhook',
          at: 1790000002000,
          text: 'webhook COMPLETED',
          more: '',
          tone: 'other',
          lost: false,
          count: 1,
          about: { type: 'delivery', id: 'del_1' },
        },
      ],
      left: 0,
    },
  })
