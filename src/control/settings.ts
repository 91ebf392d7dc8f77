import * as z from 'zod'
import { readSettings, type SettingsOverlay, settingValues } from '../domain/choices.ts'
import { EmulatorError } from '../domain/errors.ts'
import { problemWords } from '../domain/problems.ts'
import type { Clients } from '../lifecycle/clients.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery } from './input.ts'
import { json } from './json-answer.ts'
import { settingsAnswer } from './shapes/settings.ts'

/** `/settings`: those of all clients, and those of one client laid over them (`?clientId=`). */
export const settingsCalls = [
  controlCall({
    method: 'GET',
    path: '/settings',
    name: 'getSettings',
    summary: 'Show the settings of all clients or of one, and where each was set',
    query: clientQuery,
    body: noBody,
    answers: { 200: settingsAnswer },
    handle: async ({ query }, { clients }) => json(presentSettings(clients, query.clientId)),
  }),
  controlCall({
    method: 'PATCH',
    path: '/settings',
    name: 'changeSettings',
    summary: 'Change settings of all clients or of one, with immediate effect',
    description:
      'Accepts the content of a settings file, with dotted names or in groups. `null` removes a value, so that the next ' +
      'level applies again. Values for all clients are stored in the database, override `--settings`, and are removed by ' +
      'a reset of everything.',
    query: clientQuery,
    // Read by `readSettings`, which has better words, and passes over nothing.
    body: z.unknown().meta({
      type: 'object',
      description: 'Settings with dotted names, or in groups; `null` removes a value.',
      examples: [{ 'signature.checkout': 'short', 'orders.expiry': null }],
    }),
    answers: { 200: settingsAnswer },
    handle: async ({ query: { clientId }, body }, { clients, commonSettings }) => {
      const patch = patchIn(body, clientId === undefined ? 'common' : 'client')
      if (clientId === undefined) await commonSettings.change(patch)
      else await clients.update(clientId, { settings: patch })
      return json(presentSettings(clients, clientId))
    },
  }),
]

/** @throws invalid_input */
function patchIn(body: unknown, scope: 'common' | 'client'): SettingsOverlay {
  const reading = readSettings(body, { scope, nulls: 'remove' })
  if (reading.ok) return reading.overlay
  throw new EmulatorError('invalid_input', { problems: problemWords(reading.problems) })
}

const layerNames = ['start', 'common', 'client'] as const

function presentSettings(clients: Clients, clientId?: string): z.input<typeof settingsAnswer> {
  const layers = clients.overlaysOf(clientId)
  const set = layers.flatMap((layer, index) =>
    Object.keys(layer).map((name) => [name, layerNames[index] ?? 'client'] as const),
  )
  return {
    settings: layers.at(-1) ?? {},
    effective: settingValues(...layers),
    from: Object.fromEntries(set),
  }
}
