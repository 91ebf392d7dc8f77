import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaseId, Conformance, type ReportedFinding } from '../../../src/conform/index.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { overPort } from '../support/over-port.ts'
import { Generous } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('no case takes the scenario of another: none has to start an order twice', async () => {
  /** Makes its create call some time after it was asked, and others later than others. */
  class Dawdling extends ModelShop {
    starts = 0
    override async create(requestId: string, text: string) {
      this.starts += 1
      await pause((this.starts * 7) % 20)
      return super.create(requestId, text)
    }
  }
  const startsIn = async (...only: readonly CaseId[]) => {
    const shop = await world.open(Dawdling)
    const report = await world.run(shop, only)
    expect(report.counts).toMatchObject({ PASS: only.length })
    return shop.starts
  }
  const cases: CaseId[] = ['K08', 'K11', 'K14', 'K21', 'K36', 'K41']
  const forSetup = (await startsIn('K01')) - 1
  const alone = await Promise.all(cases.map((id) => startsIn(id)))
  const expected = alone.reduce((sum, starts) => sum + starts - forSetup, forSetup)
  expect(await startsIn(...cases)).toBe(expected)
})

test('a case that fails only beside others passes', async () => {
  /** Takes one webhook at a time, and forgets those that come meanwhile. */
  class OneAtATime extends ModelShop {
    forgotten = 0
    #isBusy = false
    override async webhook(request: Request) {
      if (this.#isBusy) this.forgotten += 1
      if (this.#isBusy) return new Response()
      this.#isBusy = true
      await pause(10)
      const answer = await super.webhook(request)
      this.#isBusy = false
      return answer
    }
  }
  const shop = await world.open(OneAtATime)
  const report = await world.run(shop, ['K08', 'K11', 'K21', 'K41'])
  expect(report.counts).toMatchObject({ PASS: 4 })
  expect(shop.forgotten).toBeGreaterThan(0)
})

test('what is wrong is found, with the report of a case that ran alone', async () => {
  const only: CaseId[] = ['K08', 'K14', 'K21', 'K35', 'K36', 'K41']
  const beside = await world.run(await world.open(Generous), only)
  const alone = await world.run(await world.open(Generous), ['K08'])
  const [found, expected] = [beside, alone].map((report) => plain(resultOf(report, 'K08').finding))
  expect(found).toEqual(expected)
})

/** The parts of a finding that are alike in each run; lines at the same time may come in any order. */
const plain = (finding: ReportedFinding | null) => ({
  did: finding?.did,
  timeline: finding?.timeline
    .map(({ who, what }) => `${who}: ${what.replaceAll(/client-[\w-]+|[\da-f-]{36}|\d+ ms/g, 'some')}`)
    .toSorted(),
})

test('an application that dies is one finding, and the cases that it leaves behind name it', async () => {
  let die = () => {}
  class Mortal extends ModelShop {
    override act(requestId: string, record: FiatRecord) {
      super.act(requestId, record)
      if (record.orderStatus === 'FAILED' && this.purchases.size > 8) die()
    }
  }
  const port = await overPort(await world.open(Mortal))
  die = port.die
  const only: CaseId[] = ['K08', 'K11', 'K14', 'K21', 'K36', 'K41', 'K10', 'K12']
  const report = await new Conformance(world.emulator, port.config, { only }).run()
  const failed = report.cases.filter(({ verdict }) => verdict === 'FAIL')
  expect(failed).toMatchObject([{ finding: { defect: 'crashed' } }])
  for (const { note } of report.cases.filter(({ verdict }) => verdict === 'NOT-SEEN'))
    expect(note).toBe(`the application stopped running in ${failed[0]?.id}`)
  expect(resultOf(report, 'K12').verdict).toBe('NOT-SEEN')
})

test.each([
  { workMs: 0, cases: ['K08', 'K11', 'K14', 'K21', 'K36', 'K41'], atOnce: 6 },
  { workMs: 200, cases: ['K08', 'K11', 'K14', 'K21', 'K36', 'K41'], atOnce: 4 },
  { workMs: 450, cases: ['K08', 'K11'], atOnce: 1 },
] as const)('of an application that works for $workMs ms, $atOnce cases run at once', async (each) => {
  class Working extends ModelShop {
    override async webhook(request: Request) {
      if (each.workMs === 0) return super.webhook(request)
      const copy = request.clone()
      setTimeout(() => void super.webhook(copy).catch(() => undefined), each.workMs)
      return new Response()
    }
  }
  const shop = await world.open(Working)
  let running = 0
  let most = 0
  const options = {
    onCase: () => {
      running += 1
      most = Math.max(most, running)
    },
    onResult: () => {
      running -= 1
    },
  }
  const report = await world.run(shop, each.cases, { polling: '1s' }, options)
  expect(report.counts).toMatchObject({ PASS: each.cases.length })
  expect(most).toBe(each.atOnce)
})
