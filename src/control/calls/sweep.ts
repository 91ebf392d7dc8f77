import * as z from 'zod'
import { behaviours } from '../../domain/sweep/behaviours.ts'
import { anyJson } from '../../domain/text/json-text.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'

const names = z
  .array(z.enum(behaviours.map(({ name }) => name)))
  .max(behaviours.length)
  .meta({ description: 'Names of behaviours; `sweep --list` explains them.' })

const played = z
  .strictObject({
    behaviours: names,
    seed: z.string().default('').meta({ description: 'The seed of random choices in behaviours.' }),
  })
  .meta({ id: 'PlayedBehaviours', example: { behaviours: ['webhook-twice'], seed: 'a' } })

/** `/sweep`: lets the command `sweep` control an emulator that it did not start. */
export const sweepCalls = [
  controlCall({
    method: 'PUT',
    path: '/sweep',
    name: 'playBehaviours',
    summary: 'Apply legal behaviours of the provider to every scenario',
    description:
      'They apply to all clients, even with `clientId`, and to orders that are created from now on, until you replace or remove them. The recording starts again.',
    query: clientQuery,
    body: played,
    answers: { 200: played },
    handle: async ({ body }, parts) => {
      const chosen = behaviours.filter(({ name }) => body.behaviours.includes(name))
      parts.behaviours.play(chosen, body.seed)
      parts.sweepRecord.begin(chosen, null)
      return json({ behaviours: chosen.map(({ name }) => name), seed: body.seed })
    },
  }),
  controlCall({
    method: 'GET',
    path: '/sweep',
    name: 'readPlayedBehaviours',
    summary: 'Read which behaviours are applied, and what has happened since',
    query: clientQuery,
    body: noBody,
    answers: {
      200: z.strictObject({
        behaviours: z.array(z.string()),
        recording: z.boolean().meta({ description: 'Whether events are recorded.' }),
        record: z
          .array(z.record(z.string(), anyJson))
          .meta({ description: 'Behaviours that took effect, calls, orders and webhooks, oldest first.' }),
      }),
    },
    handle: async (_, { behaviours: { names: now }, sweepRecord }) =>
      json({ behaviours: now, recording: sweepRecord.isOn, record: sweepRecord.lines }),
  }),
  controlCall({
    method: 'DELETE',
    path: '/sweep',
    name: 'stopBehaviours',
    summary: 'Remove all behaviours',
    query: clientQuery,
    body: noBody,
    answers: { 200: played },
    handle: async (_, parts) => {
      parts.behaviours.play([], '')
      parts.sweepRecord.end()
      return json({ behaviours: [], seed: '' })
    },
  }),
]
