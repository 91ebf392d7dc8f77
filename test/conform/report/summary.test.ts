import { expect, test } from 'vitest'
import { nextStepOf, summaryOf } from '../../../src/conform/report/summary.ts'
import { sampleCases, sampleReport } from '../support/sample-report.ts'

test('a run in a line', () => {
  expect(summaryOf(sampleReport())).toBe('1 passed, 1 failed, 1 warning, 1 skipped in 34 s; seed 1a2b')
})

test.each<[string, string[][], string | null]>([
  ['what shows most comes first', [['probe'], ['probe.effects'], ['probe.effects']], '`probe.effects`'],
  [
    'a line more has to be worth it',
    [
      ['start', 'probe'],
      ['start', 'probe'],
      ['start', 'probe'],
      ['start', 'probe', 'time'],
    ],
    '`start` and `probe`',
  ],
  ['what needs two things needs both', [['start', 'probe'], ['start'], ['time']], '`start` and `probe`'],
  ['what shows the same with less wins', [['time'], ['start', 'reconcile']], '`time`'],
  ['nothing helps where nothing is named', [[], []], null],
])('the next step: %s', (_, needed, named) => {
  const cases = needed.flatMap((needs) =>
    sampleCases.filter(({ verdict }) => verdict === 'NOT-SEEN').map((result) => ({ ...result, needs })),
  )
  const step = nextStepOf(cases)
  if (named === null) expect(step).toBeNull()
  else expect(step).toContain(`Set ${named} in the configuration to make `)
})

test('the next step counts the cases that it shows', () => {
  const [, , , unseen] = sampleCases
  const cases = [['probe'], ['start', 'probe'], ['start'], ['time']].flatMap((needs) =>
    unseen === undefined ? [] : [{ ...unseen, needs }],
  )
  expect(nextStepOf(cases)).toMatch(/ to make 3 more cases observable/)
})

const [passed, , , unseen] = sampleCases
const withCases = (cases: (typeof sampleCases)[number][], sawTooLittle = false) => ({
  ...sampleReport(cases),
  sawTooLittle,
})

test('a run that saw fewer than half of its cases says so first', () => {
  if (passed === undefined || unseen === undefined) throw new Error('the sample report has other cases')
  const little = 'Only 1 of 3 cases were observable'
  expect(summaryOf(withCases([passed, unseen, unseen]))).toMatch(new RegExp(`^${little}\\. 1 passed`))
  expect(summaryOf(withCases([passed, unseen, unseen], true))).toMatch(
    new RegExp(`^${little}, fewer than this run requires\\. 1 passed`),
  )
  expect(summaryOf(withCases([unseen], true))).toMatch(/^No case was observable\. 0 passed/)
  expect(summaryOf(withCases([passed, unseen]))).toMatch(/^1 passed/)
})
