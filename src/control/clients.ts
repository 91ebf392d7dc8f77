import { Hono } from 'hono'
import { z } from 'zod'
import { readSettings, type SettingsOverlay } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import { clientMembers } from '../domain/client-members.ts'
import { clockPace, paceOf } from '../domain/clock-pace.ts'
import { headerText } from '../domain/credentials.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { ClockDefaults } from '../lifecycle/clients.ts'
import { clientQuery, readJson, readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'

const newClient = z.strictObject({
  ...clientMembers,
  clientId: headerText.optional(),
  clock: clockPace.optional(),
})
const clientPatch = z.strictObject(clientMembers)

/** `/clients`: make, list, read, change, remove. */
export function clientRoutes(parts: ControlParts): Hono {
  const { clients } = parts
  const app = new Hono()
  app.get('/', (c) => {
    const { clientId } = readQuery(c, clientQuery)
    const listed = clientId === undefined ? clients.all() : [clients.get(clientId)]
    return c.json({ items: listed.map((client) => presentClient(client, parts)), next: null })
  })
  app.post('/', async (c) => {
    const { settings, clock, ...fields } = await readJson(c, newClient)
    if (fields.defaultScenario !== undefined) parts.catalog.get(fields.defaultScenario)
    const client = await clients.create({
      ...fields,
      settings: clientSettings(settings),
      clock: startOf(clock, parts),
    })
    return c.json(presentClient(client, parts), 201)
  })
  app.get('/:clientId', (c) => c.json(presentClient(clients.get(c.req.param('clientId')), parts)))
  app.patch('/:clientId', async (c) => {
    const clientId = c.req.param('clientId')
    const { settings, ...patch } = await readJson(c, clientPatch)
    if (patch.defaultScenario !== undefined) parts.catalog.get(patch.defaultScenario)
    const client = await clients.update(clientId, { ...patch, settings: clientSettings(settings) })
    return c.json(presentClient(client, parts))
  })
  app.delete('/:clientId', async (c) => {
    // What the journal has not written yet belongs to the world that goes.
    await parts.journal.flush().catch(parts.onError)
    await clients.remove(c.req.param('clientId'))
    return c.body(null, 204)
  })
  return app
}

/** A client as the control API shows it. */
export function presentClient(client: Client, { scheduler }: ControlParts): object {
  const { mode, speed } = scheduler.clockState(client.clientId)
  return {
    clientId: client.clientId,
    apiSecret: client.apiSecret,
    accessToken: client.accessToken,
    webhookSecret: client.webhookSecret,
    webhookUrl: client.webhookUrl,
    ...(client.webhookPaused ? { webhookPaused: true } : {}),
    ...(client.holds.length > 0 ? { holds: client.holds } : {}),
    defaultScenario: client.defaultScenario,
    clock: { mode, now: scheduler.now(client.clientId), speed },
    settings: client.settings,
  }
}

function startOf(
  clock: z.output<typeof clockPace> | undefined,
  { clients }: ControlParts,
): ClockDefaults | undefined {
  if (clock === undefined) return undefined
  return { ...paceOf(clients.defaults, clock), startTime: clock.now ?? clients.defaults.startTime }
}

/** Settings of a client as they were given. @throws invalid_input */
function clientSettings(input: unknown): SettingsOverlay | undefined {
  if (input === undefined) return undefined
  const reading = readSettings(input, { scope: 'client' })
  if (reading.ok) return reading.overlay
  const problems = reading.problems.map(({ path, message }) => `settings.${path.join('.')}: ${message}`)
  throw new EmulatorError('invalid_input', { problems: problems.join('; ') })
}
