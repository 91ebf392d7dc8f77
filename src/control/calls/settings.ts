import * as z from 'zod'
import { type LearnedSettings, provenanceOf } from '../../domain/choices/learned.ts'
import { readSettings } from '../../domain/choices/read-settings.ts'
import type { SettingsOverlay } from '../../domain/choices/settings.ts'
import { choicesTable, effectiveSettings, layered, settingValues } from '../../domain/choices/settings.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { problemWords } from '../../domain/text/problems.ts'
import { exampleWebhook } from '../../domain/webhook/example-request.ts'
import type { Clients } from '../../lifecycle/clients.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, paging } from '../input.ts'
import { pageAfter } from '../paging.ts'
import { pageOf } from '../shapes/common.ts'
import { choice, settingsAnswer } from '../shapes/settings.ts'

/** `/choices`: assumptions about behaviour that the API specification leaves open, with the settings that change
 *  them. */
export const choiceCalls = [
  controlCall({
    method: 'GET',
    path: '/choices',
    name: 'listChoices',
    summary: 'List what the API specification leaves open, and what the emulator does instead',
    query: clientQuery.extend(paging),
    body: noBody,
    answers: { 200: pageOf(choice) },
    errors: ['bad_cursor'],
    handle: async ({ query: { clientId, ...page } }, { clients, learned }) =>
      json(pageAfter(choicesShown(clients.overlaysOf(clientId), learned), ({ n }) => n, page)),
  }),
]

/** The assumptions that an example webhook illustrates. */
const illustrated = ['N36', 'N38', 'N73', 'N74']

/** All assumptions with an example webhook and where each value comes from. */
function choicesShown(overlays: readonly SettingsOverlay[], learned: LearnedSettings | null) {
  const example = exampleWebhook(effectiveSettings(...overlays))
  const set = layered(...overlays)
  return choicesTable(...overlays).map((row) => ({
    ...row,
    settings: row.settings.map((setting) => ({
      ...setting,
      ...provenanceOf(setting.name, set[setting.name], learned),
    })),
    example: illustrated.includes(row.n) ? example : null,
  }))
}

/** `/settings`: common settings, and with `?clientId=` the settings of one client, which override the common ones. */
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
    // `readSettings` checks the body, with better messages.
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
  // A setting that a later level replaces by its rival applies no longer.
  const applying = layered(...layers)
  return {
    settings: layers.at(-1) ?? {},
    effective: settingValues(...layers),
    from: Object.fromEntries(set.filter(([name]) => Object.hasOwn(applying, name))),
  }
}
