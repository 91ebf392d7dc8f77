import { describe, expect, test } from 'vitest'
import { judged, mistakes, tooLate } from './support/judged.ts'
import { applicationNames, slowVariants } from './support/references.ts'
import { type Chosen, nameOf } from './support/running-application.ts'

const fast: readonly Chosen[] = applicationNames.map((application) => ({ application }))
const slow: readonly Chosen[] = slowVariants().map((each) => ({ application: each.application, slow: each }))

// The slow ones come afterwards, so that they take no time from the fast ones.
describe.each([
  { speed: 'fast', applications: fast },
  { speed: 'slow', applications: slow },
])('applications that are $speed', ({ applications }) => {
  test.concurrent.each(applications.map((chosen) => ({ name: nameOf(chosen), chosen })))(
    'nothing is found in $name, where all is right',
    async ({ chosen }) => {
      const { report, log } = await judged(chosen)
      expect([...mistakes(chosen, report), ...tooLate(chosen, report, applications.length)], log).toEqual([])
      expect(report.counts.PASS).toBeGreaterThan(report.cases.length / 2)
    },
  )
})
