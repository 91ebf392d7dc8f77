import { expect, test } from 'vitest'
import { judged, mistakes, tooLate } from './support/judged.ts'
import { applicationNames } from './support/references.ts'

test.concurrent.each(applicationNames)('nothing is found in %s, where all is right', async (application) => {
  const { report, log } = await judged({ application })
  expect([...mistakes({ application }, report), ...tooLate(report)], log).toEqual([])
  expect(report.counts.PASS).toBeGreaterThan(report.cases.length / 2)
})
