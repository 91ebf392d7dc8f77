import { expect, test } from 'vitest'
import { proofMarkdown, proofOf, proofSummary, proofText } from '../../../src/conform/report/proof.ts'
import type { CaseId, ConformReport, Verdict } from '../../../src/conform/report.ts'
import { sampleCases, sampleReport } from '../support/sample-report.ts'

const commit = { ref: 'main', commit: '1a2b3c4d5e6f', short: '1a2b3c4', uncommitted: [] }

/** A report in which these cases have these verdicts. */
function reportOf(...verdicts: (readonly [CaseId, Verdict])[]): ConformReport {
  const cases = verdicts.map(([id, verdict]) => {
    const sample = sampleCases.find((each) => each.verdict === verdict)
    if (sample === undefined) throw new Error(`no case with ${verdict}`)
    return { ...sample, id }
  })
  return sampleReport(cases)
}

function summaryOf(...cases: (readonly [CaseId, before: Verdict, now: Verdict])[]) {
  const before = reportOf(...cases.map(([id, verdict]) => [id, verdict] as const))
  const now = reportOf(...cases.map(([id, , verdict]) => [id, verdict] as const))
  const proof = proofOf(commit, before, now)
  return { ok: proof.ok, words: proofSummary(proof) }
}

test.each<[Verdict, Verdict, boolean, string]>([
  ['FAIL', 'PASS', true, 'K08 red at 1a2b3c4, green now'],
  ['WARN', 'PASS', true, 'K08 red at 1a2b3c4, green now'],
  ['PASS', 'FAIL', false, 'No case is red at 1a2b3c4 and green now; K08 worse than at 1a2b3c4'],
  ['PASS', 'WARN', false, 'No case is red at 1a2b3c4 and green now; K08 worse than at 1a2b3c4'],
  ['WARN', 'FAIL', false, 'No case is red at 1a2b3c4 and green now; K08 worse than at 1a2b3c4'],
  ['FAIL', 'FAIL', false, 'No case is red at 1a2b3c4 and green now; K08 red in both'],
  ['FAIL', 'WARN', false, 'No case is red at 1a2b3c4 and green now; K08 red in both'],
  ['FAIL', 'NOT-SEEN', false, 'No case is red at 1a2b3c4 and green now; K08 observable in only one of them'],
  ['NOT-SEEN', 'PASS', false, 'No case is red at 1a2b3c4 and green now; K08 observable in only one of them'],
  ['NOT-SEEN', 'NOT-SEEN', false, 'No case is red at 1a2b3c4 and green now; 1 other unchanged'],
  ['PASS', 'PASS', false, 'No case is red at 1a2b3c4 and green now; 1 other unchanged'],
])('%s there and %s now', (before, now, ok, words) => {
  expect(summaryOf(['K08', before, now])).toEqual({ ok, words })
})

test('a fix that makes something else worse is not well done', () => {
  expect(
    summaryOf(
      ['K01', 'PASS', 'PASS'],
      ['K03', 'PASS', 'FAIL'],
      ['K08', 'FAIL', 'PASS'],
      ['K09', 'WARN', 'PASS'],
    ),
  ).toEqual({
    ok: false,
    words: 'K08 and K09 red at 1a2b3c4, green now; K03 worse than at 1a2b3c4; 1 other unchanged',
  })
})

const hostile = '\u001b[2J<script>|`\n# x'

test('texts of the application and of git become neither markup nor commands of a terminal', () => {
  const report = reportOf(['K08', 'FAIL'])
  const [failed] = report.cases
  if (failed?.finding == null) throw new Error('the sample report has other cases')
  const red = { ...report, cases: [{ ...failed, finding: { ...failed.finding, did: hostile } }] }
  const proof = proofOf({ ...commit, ref: hostile, uncommitted: [hostile] }, red, reportOf(['K08', 'PASS']))
  expect(proofText(proof, { colours: false, columns: 80 })).not.toMatch(/[^\P{Cc}\n]|^#/mu)
  const markdown = proofMarkdown(proof)
  expect(markdown).not.toMatch(/[^\P{Cc}\n]|(?<!\\)<|(?<![#\\])# x/u)
  const row = markdown.split('\n').find((line) => line.startsWith('| K08'))
  expect(row?.match(/(?<!\\)\|/g)).toHaveLength(5)
})

test('of many uncommitted files the first are named', () => {
  const uncommitted = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const proof = proofOf({ ...commit, uncommitted }, reportOf(['K08', 'FAIL']), reportOf(['K08', 'PASS']))
  expect(proofText(proof, { colours: false, columns: null })).toContain(
    '"Now" includes uncommitted changes in 7 files: a, b, c, d, e and 2 more.',
  )
})
