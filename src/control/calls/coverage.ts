import { coverageReport } from '../../domain/coverage/report.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'
import { coverage as coverageShape } from '../shapes/coverage.ts'

/** `/coverage`: behaviours of the provider that the applications have met, out of all that it can show. */
export const coverageCalls = [
  controlCall({
    method: 'GET',
    path: '/coverage',
    name: 'getCoverage',
    summary: 'Show which hazards, answers and statuses the tests have met, and which are missing',
    description:
      'Counts everything since the start, or since the last `DELETE /_emulator/coverage`. It includes clients that no longer exist. The command `coverage` prints it.',
    query: clientQuery,
    body: noBody,
    answers: { 200: coverageShape },
    handle: async ({ query: { clientId } }, { coverage }) => json(coverageReport(coverage.met(clientId))),
  }),
  controlCall({
    method: 'DELETE',
    path: '/coverage',
    name: 'resetCoverage',
    summary: 'Reset the coverage, and start counting again',
    query: clientQuery,
    body: noBody,
    answers: { 204: null },
    handle: async ({ query: { clientId } }, { coverage }) => {
      coverage.beginAnew(clientId)
      return new Response(null, { status: 204 })
    },
  }),
]
