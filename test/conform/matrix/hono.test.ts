import { expect, test } from 'vitest'
import { judged, mistakes } from './support/judged.ts'
import { provesConform } from './support/proves-conform.ts'
import { bugsOf, providerVariants } from './support/references.ts'

provesConform('hono')

test.concurrent.each(providerVariants())('$name that verifies nothing is caught by K04', async (adapted) => {
  const bug = bugsOf('hono').find(({ name }) => name === 'logs-wrong-signatures')
  const chosen = { application: 'hono', adapted, bug: bug ?? null } as const
  const { report, log } = await judged(chosen, { only: ['K04'] })
  expect(bug?.caughtBy).toBe('K04')
  expect(mistakes(chosen, report), log).toEqual([])
})
