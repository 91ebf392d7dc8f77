import { expect, test } from 'vitest'
import { judged, mistakes, tooLate } from './support/judged.ts'
import { applicationNames, slowVariants } from './support/references.ts'
import { type Chosen, nameOf } from './support/running-application.ts'

const correct: readonly Chosen[] = [
  ...applicationNames.map((application) => ({ application })),
  ...slowVariants().map((slow) => ({ application: slow.application, slow })),
]

test.concurrent.each(correct.map((chosen) => ({ name: nameOf(chosen), chosen })))(
  'nothing is found in $name, where all is right',
  async ({ chosen }) => {
    const { report, log } = await judged(chosen)
    expect([...mistakes(chosen, report), ...tooLate(chosen, report, correct.length)], log).toEqual([])
    expect(report.counts.PASS).toBeGreaterThan(report.cases.length / 2)
  },
)
