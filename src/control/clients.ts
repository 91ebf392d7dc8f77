import { Hono } from 'hono'
import { z } from 'zod'
import { mergeOverlay, readSettings, type SettingsOverlay } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import { EmulatorError } from '../domain/errors.ts'
import { webhookUrl } from '../domain/webhook-url.ts'
import type { ClockDefaults } from '../lifecycle/clients.ts'
import { clockPace } from './clock-input.ts'
import { readJson } from './input.ts'
import type { ControlParts } from './parts.ts'

const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')

const changeable = {
  apiSecret: z.string().min(1).max(1000).optional(),
  accessToken: name.optional(),
  webhookSecret: z
    .string()
    .regex(
      /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^whsec_[A-Za-z0-9+/]{2}==$/,
      'must be whsec_ and base64',
    )
    .optional(),
  webhookUrl: webhookUrl.nullable().optional(),
  defaultScenario: z.string().min(1).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
}

const newClient = z.strictObject({ ...changeable, clientId: name.optional(), clock: clockPace.optional() })
const clientPatch = z.strictObject(changeable)

/** `/clients`: make, list, read, change, remove. */
export function clientRoutes(parts: ControlParts): Hono {
  const { clients } = parts
  const app = new Hono()
  app.get('/', (c) =>
    c.json({ items: clients.all().map((client) => presentClient(client, parts)), next: null }),
  )
  app.post('/', async (c) => {
    const { settings, clock, ...fields } = await readJson(c, newClient)
    requireScenario(fields.defaultScenario, parts)
    const client = await clients.create({
      ...given(fields),
      settings: clientSettings({}, settings),
      clock: startOf(clock, parts),
    })
    return c.json(presentClient(client, parts), 201)
  })
  app.get('/:clientId', (c) => c.json(presentClient(clients.get(c.req.param('clientId')), parts)))
  app.patch('/:clientId', async (c) => {
    const clientId = c.req.param('clientId')
    const { settings, ...patch } = await readJson(c, clientPatch)
    requireScenario(patch.defaultScenario, parts)
    const overlay =
      settings === undefined ? {} : { settings: clientSettings(clients.get(clientId).settings, settings) }
    return c.json(presentClient(await clients.update(clientId, { ...given(patch), ...overlay }), parts))
  })
  app.delete('/:clientId', async (c) => {
    await clients.remove(c.req.param('clientId'))
    return c.body(null, 204)
  })
  return app
}

/** A client as the control API shows it. */
function presentClient(client: Client, { scheduler }: ControlParts): object {
  const { mode, speed } = scheduler.clockState(client.clientId)
  return {
    clientId: client.clientId,
    apiSecret: client.apiSecret,
    accessToken: client.accessToken,
    webhookSecret: client.webhookSecret,
    webhookUrl: client.webhookUrl,
    ...(client.webhookPaused ? { webhookPaused: true } : {}),
    defaultScenario: client.defaultScenario,
    clock: { mode, now: scheduler.now(client.clientId), speed: mode === 'manual' ? 0 : speed },
    settings: client.settings,
  }
}

function startOf(
  clock: z.output<typeof clockPace> | undefined,
  { clients }: ControlParts,
): ClockDefaults | undefined {
  if (clock === undefined) return undefined
  const mode = clock.mode ?? (clock.speed === undefined ? clients.defaults.mode : 'real')
  const speed = mode === 'manual' ? 0 : (clock.speed ?? (clients.defaults.speed || 1))
  return { mode, speed, startTime: clock.now ?? clients.defaults.startTime }
}

function requireScenario(id: string | undefined, { catalog }: ControlParts): void {
  if (id === undefined || catalog.find(id) !== undefined) return
  const near = catalog.nearest(id)
  throw new EmulatorError('scenario_unknown', {
    id,
    hint: near === undefined ? '' : ` Did you mean "${near}"?`,
  })
}

/** A client's settings with a patch applied; null in a patch takes a setting away. @throws invalid_input */
function clientSettings(base: SettingsOverlay, patch: unknown): SettingsOverlay {
  const reading = readSettings(patch ?? {}, { scope: 'client' })
  if (reading.ok) return mergeOverlay(base, reading.overlay)
  const problems = reading.problems.map(({ path, message }) => `settings.${path.join('.')}: ${message}`)
  throw new EmulatorError('invalid_input', { problems: problems.join('; ') })
}

/** Without the members that were not given: they must not replace what is there. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(fields))
}
