import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import { explain } from '../domain/explain/explanation.ts'
import { orderKinds } from '../domain/order.ts'
import { formatProblem } from '../domain/yaml-source.ts'
import { readBody, requireYaml } from '../http/body.ts'
import type { CatalogScenario } from '../lifecycle/scenario-catalog.ts'
import { clientQuery, noQuery, readJson, readQuery } from './input.ts'
import { refuseOtherKinds } from './other-kinds.ts'
import type { ControlParts } from './parts.ts'

const nextRequest = z.strictObject({
  scenario: z.string().min(1),
  clientId: z.string().min(1).optional(),
  requestId: z.string().min(1).optional(),
  count: z.int().min(1).max(1_000_000).default(1),
})

const explainQuery = z.strictObject({
  clientId: z.string().min(1).optional(),
  kind: z.enum(orderKinds).optional(),
  amount: z
    .string()
    .regex(/^\d{1,30}(\.\d{1,18})?$/, 'must be an amount like 10.00')
    .optional(),
  seed: z.string().min(1).optional(),
})

/** `/scenarios`: which there are, what they do, and which one coming orders get. */
export function scenarioRoutes(parts: ControlParts): Hono {
  const { catalog, clients, store } = parts
  const app = new Hono()
  app.get('/', (c) => {
    readQuery(c, clientQuery)
    return c.json({ items: catalog.ids().map((id) => summary(catalog.get(id))), next: null })
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
  app.get('/:id', (c) => {
    readQuery(c, noQuery)
    return c.json(whole(catalog.get(c.req.param('id')), parts))
  })
  app.put('/:id', async (c) => {
    readQuery(c, noQuery)
    return c.json(whole(await parts.putScenarios.put(c.req.param('id'), await scenarioBody(c)), parts))
  })
  app.get('/:id/explain', (c) => {
    const { clientId, kind, amount, seed } = readQuery(c, explainQuery)
    const { scenario } = catalog.get(c.req.param('id'))
    const settings = clients.overlaysOf(clientId)
    if (kind !== undefined) refuseOtherKinds(scenario, kind)
    return c.json(explain(scenario, { kind, fiatAmount: amount, seed: seed ?? parts.seed, settings }))
  })
  return app
}

/** A scenario in YAML, or in JSON, which is YAML too. @throws unsupported_media_type, too_large, body_cut, not_json */
async function scenarioBody(c: Context): Promise<string> {
  requireYaml(c.req.raw)
  const { text, utf8 } = await readBody(c.req.raw)
  if (!utf8) throw new EmulatorError('not_json', { problem: 'is not valid UTF-8' })
  return text
}

function summary({ scenario, version, from }: CatalogScenario) {
  const { id, description, tests, for: kinds } = scenario
  return { id, description, tests, for: kinds, version, from }
}

/** With the text as it was written, and what is wrong with the file as it is now. */
function whole(found: CatalogScenario, { addedScenarios }: ControlParts) {
  const { file, text, from } = found
  const problems = from === 'file' ? addedScenarios.problemsWith(found.scenario.id).map(formatProblem) : []
  return { ...summary(found), file, text, problems }
}
