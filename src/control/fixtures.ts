import { Hono } from 'hono'
import { z } from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import { parseFixtureFile } from '../domain/fixture/fixture-file.ts'
import { formatProblem, type SourceProblem } from '../domain/yaml-source.ts'
import { readBody, requireYaml } from '../http/body.ts'
import { FixtureRefused } from '../lifecycle/fixture-files.ts'
import { presentClient } from './clients.ts'
import { readQuery } from './input.ts'
import type { ControlParts } from './parts.ts'

const fixtureQuery = z.strictObject({
  /** Clients that are there give way, with all that belongs to them. */
  replace: z.enum(['true', 'false']).optional(),
  /** The name that problems carry. */
  file: z.string().min(1).max(200).optional(),
})

/** `/fixtures`: loads a world, YAML or JSON, all of it or nothing. */
export function fixtureRoutes(parts: ControlParts): Hono {
  const app = new Hono()
  app.post('/', async (c) => {
    const { replace, file } = readQuery(c, fixtureQuery)
    requireYaml(c.req.raw)
    const { text, utf8 } = await readBody(c.req.raw)
    if (!utf8) throw new EmulatorError('not_json', { problem: 'is not valid UTF-8' })
    const fixture = parseFixtureFile(text, file ?? 'body')
    if ('problems' in fixture) throw refused(fixture.problems)
    // What the journal has not written yet belongs to worlds that may go.
    if (replace === 'true') await parts.journal.flush().catch(parts.onError)
    const report = await parts.fixtures
      .load(fixture, replace === 'true' ? 'replace' : 'refuse')
      .catch(inWords)
    const clients = report.loaded.map(({ clientId, ...counts }) => ({
      ...presentClient(parts.clients.get(clientId), parts),
      ...counts,
    }))
    return c.json({ clients, replaced: report.replaced }, 201)
  })
  return app
}

function inWords(error: unknown): never {
  if (error instanceof FixtureRefused) throw new EmulatorError('invalid_input', { problems: error.message })
  throw error
}

const refused = (problems: readonly SourceProblem[]) =>
  new EmulatorError('invalid_input', { problems: problems.map(formatProblem).join('\n') })
