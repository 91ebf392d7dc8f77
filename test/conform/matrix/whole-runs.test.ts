import { expect, test } from 'vitest'
import { judged, mistakes } from './support/judged.ts'
import { applicationNames, providerVariants, slowVariants } from './support/references.ts'
import { type Chosen, nameOf } from './support/running-application.ts'

const fast: readonly Chosen[] = applicationNames.map((application) => ({ application }))
// `npm run matrix` runs the other slow ones too, which take minutes, and measures how long each run takes.
const queued = slowVariants().flatMap((each) =>
  each.name === 'express-queue' ? { application: each.application, slow: each } : [],
)
// Beside an emulator with the settings file of the provider.
const adapted = providerVariants().map((each) => ({ application: each.application, adapted: each }))
const applications = [...fast, ...queued, ...adapted].map((chosen) => ({ name: nameOf(chosen), chosen }))

test.concurrent.each(applications)('nothing is found in $name, where all is right', async ({ chosen }) => {
  const { report, log } = await judged(chosen)
  expect(mistakes(chosen, report), log).toEqual([])
  expect(report.counts.PASS).toBeGreaterThan(report.cases.length / 2)
})

test('one of the applications works off a queue, and one is of another provider', () => {
  expect(queued).toHaveLength(1)
  expect(adapted).toHaveLength(1)
})
