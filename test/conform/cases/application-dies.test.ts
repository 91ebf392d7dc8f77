import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaseId, Conformance } from '../../../src/conform/index.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { overPort } from '../support/over-port.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Runs three cases against a shop that dies in the first of them, as soon as an order has failed. */
async function dyingIn(fatal: CaseId, { risesAgain }: { risesAgain: boolean }) {
  let end = () => {}
  class Mortal extends ModelShop {
    override act(requestId: string, record: FiatRecord) {
      super.act(requestId, record)
      if (record.orderStatus === 'FAILED') end()
    }
  }
  const { config, die, rise } = await overPort(await world.open(Mortal))
  const run = new Conformance(world.emulator, config, {
    only: [fatal, 'K10', 'K12'],
    onCase: ({ id }) => {
      end = () => {
        if (id !== fatal) return
        die()
        if (risesAgain) void rise()
      }
    },
  })
  return run.run()
}

test('an application that dies fails the case in which it died, and the others are not seen', async () => {
  const report = await dyingIn('K02', { risesAgain: false })
  expect(report.ok).toBe(false)
  expect(report.problems).toEqual([])
  expect(resultOf(report, 'K02')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'crashed' } })
  for (const id of ['K10', 'K12'] as const)
    expect(resultOf(report, id)).toMatchObject({
      verdict: 'NOT-SEEN',
      note: 'the application stopped running in K02',
    })
})

test('dying is a failure, whatever the level of the case', async () => {
  const report = await dyingIn('K36', { risesAgain: false })
  expect(resultOf(report, 'K36')).toMatchObject({ level: 'SHOULD', verdict: 'FAIL' })
  expect(resultOf(report, 'K36').finding?.should).toMatch(/^Keep running/)
})

test('an application that somebody starts again is asked on', async () => {
  const report = await dyingIn('K02', { risesAgain: true })
  expect(resultOf(report, 'K10').verdict).toBe('PASS')
})
