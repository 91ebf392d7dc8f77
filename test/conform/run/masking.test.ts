import { expect, test } from 'vitest'
import type { Case } from '../../../src/conform/case.ts'
import { allCases } from '../../../src/conform/cases/all.ts'
import type { CaseId, CaseResult, Defect } from '../../../src/conform/report.ts'
import { caseNamed } from '../../../src/conform/run/chosen-cases.ts'
import { masked } from '../../../src/conform/run/conformance.ts'
import { sampleReport } from '../support/sample-report.ts'

/** A case that has found a defect. */
function failed(id: CaseId, defect: Defect): CaseResult {
  const failure = sampleReport().cases.find(({ finding }) => finding !== null)
  if (failure?.finding == null) throw new Error('the sample report has no finding')
  return { ...failure, id, verdict: 'FAIL', finding: { ...failure.finding, defect } }
}

const resultsOf = (...results: CaseResult[]) => new Map(results.map((result) => [result.id, result]))

test('a case that was played later explains an earlier one', () => {
  const results = resultsOf(failed('K12', 'doubled'), failed('K16', 'doubled'))
  const told = masked(caseNamed('K12', allCases), failed('K12', 'doubled'), results)
  expect(told).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K16') })
})

test('another defect explains nothing', () => {
  const results = resultsOf(failed('K12', 'lost'), failed('K16', 'doubled'))
  expect(masked(caseNamed('K12', allCases), failed('K12', 'lost'), results).verdict).toBe('FAIL')
})

/** Every case that explains this one, over however many others. */
function explaining({ id }: Case, defect: Defect, seen = new Set<CaseId>()): Set<CaseId> {
  const causes = (caseNamed(id, allCases).explainedBy ?? [])
    .filter((each) => each.defect === defect)
    .flatMap(({ cases }) => cases)
  for (const cause of causes.filter((each) => !seen.has(each))) {
    seen.add(cause)
    explaining(caseNamed(cause, allCases), defect, seen)
  }
  return seen
}

test.each(allCases)('$id is not explained by itself, or nobody would tell of it', (played) => {
  for (const { defect } of played.explainedBy ?? [])
    expect([...explaining(played, defect)]).not.toContain(played.id)
})
