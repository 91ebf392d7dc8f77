import { z } from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import { parseFixtureFile } from '../domain/fixture/fixture-file.ts'
import { formatProblem, type SourceProblem } from '../domain/yaml-source.ts'
import { FixtureRefused } from '../lifecycle/fixture-files.ts'
import { presentClient } from './clients.ts'
import { controlCall, json } from './control-call.ts'
import { clientQuery } from './input.ts'
import { loadedFixture } from './shapes/fixture.ts'

const fixtureQuery = clientQuery.extend({
  replace: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Clients that are there give way, with all that belongs to them.' }),
  file: z.string().min(1).max(200).optional().meta({ description: 'The name that problems carry.' }),
})

const fixtureText = z.string().meta({ description: 'A fixture in YAML, or in JSON, which is YAML too.' })

/** `/fixtures`: loads a world, YAML or JSON, all of it or nothing. */
export const fixtureCalls = [
  controlCall({
    method: 'POST',
    path: '/fixtures',
    name: 'loadFixture',
    summary: 'Load a world: clients, orders, deliveries',
    description: 'All of it or nothing. Problems are told with their line and column.',
    query: fixtureQuery,
    body: fixtureText,
    takes: 'yaml',
    answers: { 201: loadedFixture },
    errors: ['fixture_exists', 'client_exists', 'order_exists', 'order_id_taken'],
    handle: async ({ query: { replace, file }, body }, parts) => {
      const fixture = parseFixtureFile(body, file ?? 'body')
      if ('problems' in fixture) throw refused(fixture.problems)
      // What the journal has not written yet belongs to worlds that may go.
      if (replace === 'true') await parts.journal.flush().catch(parts.onError)
      const report = await parts.fixtures
        .load(fixture, replace === 'true' ? 'replace' : 'refuse')
        .catch(inWords)
      parts.feed.tell({ type: 'worlds', clientIds: report.loaded.map(({ clientId }) => clientId) })
      const clients = report.loaded.map(({ clientId, ...counts }) => ({
        ...presentClient(parts.clients.get(clientId), parts),
        ...counts,
      }))
      return json({ clients, replaced: report.replaced }, 201)
    },
  }),
]

function inWords(error: unknown): never {
  if (error instanceof FixtureRefused) throw new EmulatorError('invalid_input', { problems: error.message })
  throw error
}

const refused = (problems: readonly SourceProblem[]) =>
  new EmulatorError('invalid_input', { problems: problems.map(formatProblem).join('\n') })
