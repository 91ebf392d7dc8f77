import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import { clientQuery, readJson, readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'

const nextRequest = z.strictObject({
  scenario: z.string().min(1),
  clientId: z.string().min(1).optional(),
  requestId: z.string().min(1).optional(),
  count: z.int().min(1).max(1_000_000).default(1),
})

/** `/scenarios`: which there are, and which one coming orders get. */
export function scenarioRoutes(parts: ControlParts): Hono {
  const { catalog, clients, store } = parts
  const app = new Hono()
  app.get('/', (c) => {
    readQuery(c, clientQuery)
    return c.json({ items: catalog.ids().map((id) => ({ id, ...summary(id, parts) })), next: null })
  })
  app.post('/next', async (c) => {
    const query = readQuery(c, clientQuery)
    const { scenario, requestId, count, ...body } = await readJson(c, nextRequest)
    if (body.clientId !== undefined && query.clientId !== undefined && body.clientId !== query.clientId) {
      throw new EmulatorError('invalid_input', {
        problems: 'clientId: the body and the query name different clients',
      })
    }
    const clientId = body.clientId ?? query.clientId
    if (clientId !== undefined) clients.get(clientId)
    catalog.get(scenario)
    const binding = {
      id: `bnd_${randomUUID()}`,
      scenario,
      clientId: clientId ?? null,
      requestId: requestId ?? null,
      remaining: count,
    }
    await store.addBinding(binding)
    return c.json(binding, 201)
  })
  return app
}

function summary(id: string, { catalog }: ControlParts): object {
  const found = catalog.find(id)
  if (found === undefined) return {}
  const { description, tests, for: kinds } = found.scenario
  return { description, tests, for: kinds }
}
