import * as z from 'zod'
import { anyJson } from '../domain/any-json.ts'
import { behaviours } from '../domain/sweep/behaviours.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery } from './input.ts'
import { json } from './json-answer.ts'

const names = z
  .array(z.enum(behaviours.map(({ name }) => name)))
  .max(behaviours.length)
  .meta({ description: 'Names of behaviours; `sweep --list` explains them.' })

const played = z
  .strictObject({
    behaviours: names,
    seed: z.string().default('').meta({ description: 'Draws what behaviours leave to chance.' }),
  })
  .meta({ id: 'PlayedBehaviours', example: { behaviours: ['webhook-twice'], seed: 'a' } })

/** `/sweep`: what the command `sweep` asks of an emulator that it has not started. */
export const sweepCalls = [
  controlCall({
    method: 'PUT',
    path: '/sweep',
    name: 'playBehaviours',
    summary: 'Play legal behaviours of the provider over every scenario',
    description:
      'They hold for all clients, whatever `clientId` says, and for orders that begin from now on, until they are replaced or removed. What happens is recorded anew from now on.',
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
    summary: 'Read which behaviours are played, and what has happened since',
    query: clientQuery,
    body: noBody,
    answers: {
      200: z.strictObject({
        behaviours: z.array(z.string()),
        recording: z.boolean().meta({ description: 'Whether what happens is recorded.' }),
        record: z
          .array(z.record(z.string(), anyJson))
          .meta({ description: 'Strikes of behaviours, calls, orders and webhooks, the oldest first.' }),
      }),
    },
    handle: async (_, { behaviours: { names: now }, sweepRecord }) =>
      json({ behaviours: now, recording: sweepRecord.isOn, record: sweepRecord.lines }),
  }),
  controlCall({
    method: 'DELETE',
    path: '/sweep',
    name: 'stopBehaviours',
    summary: 'Play no behaviour any more',
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
