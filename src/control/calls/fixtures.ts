import * as z from 'zod'
import { type FixtureFile, parseFixtureFile } from '../../domain/fixture/fixture-file.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { sentText } from '../../domain/text/limits.ts'
import { formatProblem, type SourceProblem } from '../../domain/text/yaml-source.ts'
import type { ShippedFixture } from '../../lifecycle/fixture-files.ts'
import { FixtureRefused } from '../../lifecycle/fixture-files.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, paging, yesOrNo } from '../input.ts'
import { pageAfter } from '../paging.ts'
import type { ControlParts } from '../parts.ts'
import { pageOf } from '../shapes/common.ts'
import { loadedFixture, shippedFixture, wholeFixture } from '../shapes/fixture.ts'
import { presentClient } from './clients.ts'

const replace = yesOrNo('Replaces existing clients of the same names, and everything that belongs to them.')

const fixtureQuery = clientQuery.extend({
  replace,
  file: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The file name to show in error messages.' }),
})

const fixtureText = z.string().meta({ description: 'A fixture in YAML or JSON.' })

/** `/fixtures`: loads sample data from YAML, JSON or a shipped fixture, all or nothing. */
export const fixtureCalls = [
  controlCall({
    method: 'POST',
    path: '/fixtures',
    name: 'loadFixture',
    summary: 'Load sample data: clients, orders, deliveries',
    description: 'Loads the whole fixture or nothing. Errors name the line and column.',
    query: fixtureQuery,
    body: fixtureText,
    takes: 'yaml',
    answers: { 201: loadedFixture },
    errors: ['fixture_exists', 'client_exists', 'order_exists', 'order_id_taken'],
    handle: async ({ query: { replace, file }, body }, parts) => {
      const fixture = parseFixtureFile(body, file ?? 'body', sentText)
      if ('problems' in fixture) throw refused(fixture.problems)
      return json(await loadWorld(fixture, replace === 'true', parts), 201)
    },
  }),
  controlCall({
    method: 'GET',
    path: '/fixtures',
    name: 'listFixtures',
    summary: 'List the built-in fixtures',
    query: clientQuery.extend(paging),
    body: noBody,
    answers: { 200: pageOf(shippedFixture) },
    errors: ['bad_cursor'],
    handle: async ({ query }, { shippedFixtures }) => {
      const { items, next } = pageAfter(shippedFixtures.all(), ({ name }) => name, query)
      return json({ items: items.map(summary), next })
    },
  }),
  controlCall({
    method: 'GET',
    path: '/fixtures/{name}',
    name: 'getFixture',
    summary: 'Read the text of a built-in fixture',
    query: clientQuery,
    body: noBody,
    answers: { 200: wholeFixture },
    errors: ['fixture_unknown'],
    handle: async ({ param }, { shippedFixtures }) => {
      const fixture = shippedFixtures.get(param('name'))
      return json({ ...summary(fixture), text: fixture.text })
    },
  }),
  controlCall({
    method: 'POST',
    path: '/fixtures/{name}',
    name: 'loadShippedFixture',
    summary: 'Load a built-in fixture',
    description: 'The same as a POST of its text.',
    query: clientQuery.extend({ replace }),
    body: noBody,
    answers: { 201: loadedFixture },
    errors: ['fixture_unknown', 'fixture_exists', 'client_exists', 'order_exists', 'order_id_taken'],
    handle: async ({ param, query: { replace } }, parts) => {
      const { file } = parts.shippedFixtures.get(param('name'))
      return json(await loadWorld(file, replace === 'true', parts), 201)
    },
  }),
]

async function loadWorld(fixture: FixtureFile, replace: boolean, parts: ControlParts): Promise<object> {
  const report = await parts.fixtures.load(fixture, replace ? 'replace' : 'refuse').catch(inWords)
  parts.feed.emit({ type: 'worlds', clientIds: report.loaded.map(({ clientId }) => clientId) })
  const clients = report.loaded.map(({ clientId, ...counts }) => ({
    ...presentClient(parts.clients.get(clientId), parts),
    ...counts,
  }))
  return { clients, replaced: report.replaced }
}

const summary = ({ name, file: { fixture } }: ShippedFixture): z.output<typeof shippedFixture> => ({
  name,
  description: fixture.description ?? null,
  clients: fixture.clients.map(({ clientId, orders }) => ({ clientId, orders: orders.length })),
})

function inWords(error: unknown): never {
  if (error instanceof FixtureRefused) throw new EmulatorError('invalid_input', { problems: error.message })
  throw error
}

const refused = (problems: readonly SourceProblem[]) =>
  new EmulatorError('invalid_input', { problems: problems.map(formatProblem).join('\n') })
