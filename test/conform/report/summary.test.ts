import { expect, test } from 'vitest'
import { nextStepOf, summaryOf } from '../../../src/conform/report/summary.ts'
import { sampleCases, sampleReport } from '../support/sample-report.ts'

test('a run in a line', () => {
  expect(summaryOf(sampleReport())).toBe('1 passed, 1 failed, 1 warning, 1 not seen in 34 s; seed 1a2b')
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
  else expect(step).toContain(`Give ${named} in the configuration:`)
})

test('the next step counts the cases that it shows', () => {
  const [, , , unseen] = sampleCases
  const cases = [['probe'], ['start', 'probe'], ['start'], ['time']].flatMap((needs) =>
    unseen === undefined ? [] : [{ ...unseen, needs }],
  )
  expect(nextStepOf(cases)).toMatch(/: 3 more cases can be seen/)
})
