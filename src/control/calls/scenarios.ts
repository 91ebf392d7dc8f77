import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { explain } from '../../domain/explain/explanation.ts'
import { requestId } from '../../domain/order/ids.ts'
import { type OrderKind, orderKinds } from '../../domain/order/order.ts'
import { outlineOf } from '../../domain/scenario/outline.ts'
import type { Scenario } from '../../domain/scenario/scenario.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { formatProblem } from '../../domain/text/yaml-source.ts'
import type { CatalogScenario } from '../../lifecycle/scenarios/catalog.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, listOf, listQuery, oneClientId, paging } from '../input.ts'
import { pageAfter } from '../paging.ts'
import type { ControlParts } from '../parts.ts'
import { pageOf } from '../shapes/common.ts'
import {
  binding as bindingShown,
  brokenFile,
  explanation,
  scenarioSummary,
  wholeScenario,
} from '../shapes/scenario.ts'

/** Request body that chooses the scenario of the next orders. */
export const nextRequest = z
  .strictObject({
    scenario: z.string().min(1).meta({ description: 'The id of the scenario.' }),
    clientId: z.string().min(1).optional().meta({ description: 'Only for orders of this client.' }),
    requestId: requestId.optional().meta({ description: 'Only for the order with this requestId.' }),
    count: z.int().min(1).max(1_000_000).default(1).meta({ description: 'For how many orders.' }),
  })
  .meta({ id: 'NextScenario', example: { scenario: 'happy', requestId: 'r1' } })

const explainQuery = clientQuery.extend({
  kind: z.enum(orderKinds).optional(),
  amount: z
    .string()
    .regex(/^\d{1,30}(\.\d{1,18})?$/, 'must be an amount like 10.00')
    .optional(),
  seed: z.string().min(1).optional(),
})

const scenarioText = z.string().meta({ description: 'A scenario in YAML or JSON.' })

export const scenarioCalls = [
  controlCall({
    method: 'GET',
    path: '/scenarios',
    name: 'listScenarios',
    summary: 'List the scenarios',
    query: clientQuery.extend(paging),
    body: noBody,
    answers: { 200: pageOf(scenarioSummary) },
    errors: ['bad_cursor'],
    handle: async ({ query }, { catalog }) => {
      const { items, next } = pageAfter(catalog.ids(), (id) => id, query)
      return json({ items: items.map((id) => summary(catalog.get(id))), next })
    },
  }),
  controlCall({
    method: 'POST',
    path: '/scenarios/next',
    name: 'planScenario',
    summary: 'Choose the scenario of the next orders',
    description:
      'For the next order, or the next `count` orders: of a client, of a requestId, of both, or of any client. The choice stays with the requestId of the order, including retries.',
    query: clientQuery,
    body: nextRequest,
    answers: { 201: bindingShown },
    errors: ['client_unknown', 'scenario_unknown'],
    handle: async ({ query, body }, { catalog, clients, store }) => {
      const { scenario, requestId, count } = body
      const clientId = oneClientId(body, query)
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
      return json(binding, 201)
    },
  }),
  controlCall({
    method: 'GET',
    path: '/scenarios/next',
    name: 'listPlannedScenarios',
    summary: 'List the planned scenarios of the next orders',
    description:
      'With `clientId`, only the plans for that client; plans for any client belong to none. Used plans are not listed.',
    query: listQuery(['scenario', 'requestId']),
    body: noBody,
    answers: { 200: pageOf(bindingShown) },
    errors: ['bad_cursor'],
    handle: async ({ query }, { store }) => json(await store.listBindings(listOf(query))),
  }),
  controlCall({
    method: 'DELETE',
    path: '/scenarios/next',
    name: 'unplanScenarios',
    summary: 'Cancel planned scenarios: all, or one plan',
    description: 'With `clientId`, only the plans for that client; plans for any client stay.',
    query: clientQuery.extend({ id: z.string().min(1).optional().meta({ description: 'Only this plan.' }) }),
    body: noBody,
    answers: {
      200: z.strictObject({ removed: z.int().meta({ description: 'The number of cancelled plans.' }) }),
    },
    errors: ['binding_unknown'],
    handle: async ({ query }, { store }) => {
      const removed = await store.deleteBindings(query)
      if (query.id !== undefined && removed === 0)
        throw new EmulatorError('binding_unknown', { id: query.id })
      return json({ removed })
    },
  }),
  controlCall({
    method: 'GET',
    path: '/scenarios/problems',
    name: 'listScenarioProblems',
    summary: 'List the errors in added scenario files',
    description:
      'If a file was valid before, its last valid version stays in use. A file that was never valid does not define a scenario.',
    query: clientQuery.extend(paging),
    body: noBody,
    answers: { 200: pageOf(brokenFile) },
    errors: ['bad_cursor'],
    handle: async ({ query }, { addedScenarios, catalog }) => {
      const problems = addedScenarios.problems().map((problem) => ({
        ...problem,
        used: catalog.find(problem.id) !== undefined,
      }))
      return json(pageAfter(problems, formatProblem, query))
    },
  }),
  controlCall({
    method: 'GET',
    path: '/scenarios/{id}',
    name: 'getScenario',
    summary: 'Read the text of a scenario',
    query: clientQuery,
    body: noBody,
    answers: { 200: wholeScenario },
    errors: ['scenario_unknown'],
    handle: async ({ param }, parts) => json(whole(parts.catalog.get(param('id')), parts)),
  }),
  controlCall({
    method: 'PUT',
    path: '/scenarios/{id}',
    name: 'putScenario',
    summary: 'Add a scenario, or replace one',
    description: 'Errors name the line and column. Existing orders keep their version of the scenario.',
    query: clientQuery,
    body: scenarioText,
    takes: 'yaml',
    answers: { 200: wholeScenario },
    handle: async ({ param, body }, parts) =>
      json(whole(await parts.uploadedScenarios.put(param('id'), body), parts)),
  }),
  controlCall({
    method: 'DELETE',
    path: '/scenarios/{id}',
    name: 'takeScenarioBack',
    summary: 'Remove a scenario that was added through this API',
    description:
      'The scenario that it replaced, from a file or built in, applies again. Existing orders keep their version.',
    query: clientQuery,
    body: noBody,
    answers: { 204: null },
    errors: ['scenario_unknown', 'scenario_not_put'],
    handle: async ({ param }, { catalog, uploadedScenarios: putScenarios }) => {
      const { scenario, from } = catalog.get(param('id'))
      const origin = from === 'file' ? 'is in a file' : 'is built in'
      if (!(await putScenarios.remove(scenario.id)))
        throw new EmulatorError('scenario_not_put', { id: scenario.id, origin })
      return new Response(null, { status: 204 })
    },
  }),
  controlCall({
    method: 'GET',
    path: '/scenarios/{id}/explain',
    name: 'explainScenario',
    summary: 'Explain a scenario without running it',
    query: explainQuery,
    body: noBody,
    answers: { 200: explanation },
    errors: ['scenario_unknown'],
    handle: async ({ param, query: { clientId, kind, amount, seed } }, parts) => {
      const { scenario } = parts.catalog.get(param('id'))
      const settings = parts.clients.overlaysOf(clientId)
      if (kind !== undefined) refuseOtherKinds(scenario, kind)
      return json(explain(scenario, { kind, fiatAmount: amount, seed: seed ?? parts.seed, settings }))
    },
  }),
]

function summary({ scenario, version, from }: CatalogScenario) {
  const { id, description, tests, for: kinds } = scenario
  return { id, description, tests, for: kinds, version, from, steps: outlineOf(scenario) }
}

/** A scenario with its source text and the problems in the current version of its file. */
function whole(found: CatalogScenario, { addedScenarios }: ControlParts) {
  const { file, text, from } = found
  const problems = from === 'file' ? addedScenarios.problemsWith(found.scenario.id).map(formatProblem) : []
  return { ...summary(found), file, text, problems }
}

/** Rejects a scenario that does not support the kind of order.
 *  @throws invalid_input */
export function refuseOtherKinds(scenario: Pick<Scenario, 'id' | 'for'>, kind: OrderKind): void {
  if (scenario.for === null || scenario.for.includes(kind)) return
  const problems = `scenario: "${scenario.id}" is for ${scenario.for.join(', ')}, not for ${kind}`
  throw new EmulatorError('invalid_input', { problems })
}
