import { afterAll, beforeAll, expect, test } from 'vitest'
import { CaseFailed, type CaseId, Conformance, ConformTests, type Given } from '../../../src/conform/index.ts'
import { startEmulator } from '../../../src/index.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { webShop } from '../support/web-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Creates orders until it is stopped. */
class Stopping extends ModelShop {
  stopped = false
  override async buy(given: Given): Promise<string | null> {
    if (this.stopped) throw new Error('the database is locked')
    return super.buy(given)
  }
}

class NamesNone extends Stopping {
  override async buy(given: Given) {
    return this.stopped ? null : super.buy(given)
  }
}

class CreatesNone extends Stopping {
  #n = 0
  override async buy(given: Given) {
    this.#n += 1
    return this.stopped ? `nothing-${this.#n}` : super.buy(given)
  }
}

/** Runs cases against a shop that stops, or goes on again, when some of them begin. */
async function run(
  shop: Stopping,
  only: readonly CaseId[],
  { stopsIn, goesOnIn }: { stopsIn: CaseId; goesOnIn?: CaseId },
) {
  const conformance = new Conformance(world.emulator, shop.config, {
    only,
    onCase: ({ id }) => {
      if (id === stopsIn) shop.stopped = true
      if (id === goesOnIn) shop.stopped = false
    },
  })
  return conformance.run()
}

test.concurrent.each([
  ['throws', Stopping, 'the database is locked'],
  ['names no order', NamesNone, 'its answer named no order'],
  ['names orders that it has not created', CreatesNone, 'its answer named the requestId nothing-'],
] as const)(
  'an application that makes no order any more fails the case after which it stopped: it %s',
  async (_, shop, told) => {
    const report = await run(await world.open(shop), ['K01', 'K03', 'K10', 'K12', 'K17'], { stopsIn: 'K10' })
    expect(report).toMatchObject({ ok: false, problems: [], counts: { PASS: 1, FAIL: 1, 'NOT-SEEN': 3 } })
    // Of the level SHOULD.
    expect(resultOf(report, 'K03')).toMatchObject({
      verdict: 'FAIL',
      finding: {
        defect: 'stopped',
        did: expect.stringContaining(told),
        repeat: expect.stringContaining('["K03","K10"]'),
      },
    })
    for (const id of ['K12', 'K17'] as const)
      expect(resultOf(report, id).note).toBe('the application creates no more orders since K03')
  },
)

test.concurrent('one that makes some of the orders of a case stopped in that one', async () => {
  class ThirdOrderOfK02 extends Stopping {
    #left = 3
    override async buy(given: Given) {
      if (this.stopped) this.#left -= 1
      if (this.#left < 0) throw new Error('no more')
      return ModelShop.prototype.buy.call(this, given)
    }
  }
  const report = await run(await world.open(ThirdOrderOfK02), ['K01', 'K02', 'K10'], { stopsIn: 'K02' })
  expect(resultOf(report, 'K02')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'stopped' } })
})

test.concurrent('one that goes on again is asked on, and has not stopped', async () => {
  const report = await run(await world.open(Stopping), ['K01', 'K08', 'K11', 'K12'], {
    stopsIn: 'K08',
    goesOnIn: 'K12',
  })
  expect(report.counts).toMatchObject({ PASS: 2, FAIL: 0, 'NOT-SEEN': 2 })
  expect(resultOf(report, 'K12').verdict).toBe('PASS')
})

test.concurrent('one that needs a while to recover has not stopped', async () => {
  class Pausing extends Stopping {
    #refusals = 2
    override async buy(given: Given) {
      if (!this.stopped) return super.buy(given)
      this.#refusals -= 1
      if (this.#refusals < 0) this.stopped = false
      throw new Error('a pause after too many failures')
    }
  }
  const report = await run(await world.open(Pausing), ['K01', 'K08', 'K11'], { stopsIn: 'K08' })
  expect(report.counts).toMatchObject({ FAIL: 0 })
  expect(resultOf(report, 'K11').verdict).toBe('PASS')
})

test.concurrent('one that allows so many orders in a minute has not stopped', async () => {
  let left = 8
  await using emulator = await startEmulator()
  const shop = await webShop(emulator, (path) => {
    if (path === '/orders') left -= 1
    return path === '/orders' && left < 0 ? new Response('later', { status: 429 }) : null
  })
  try {
    const only: CaseId[] = ['K01', 'K02', 'K10', 'K12']
    const report = await new Conformance(emulator, shop.config, { only }).run()
    expect(report.counts.FAIL).toBe(0)
    expect(resultOf(report, 'K12').note).toContain('answered 429')
  } finally {
    shop.close()
  }
})

test.concurrent('one that has stopped before the first case is a problem of the configuration', async () => {
  const report = await run(await world.open(Stopping), ['K01', 'K08'], { stopsIn: 'K01' })
  expect(report.problems).toEqual([
    { member: 'start', message: expect.stringContaining('none since then: the database is locked') },
  ])
  expect(report.counts).toMatchObject({ FAIL: 0, 'NOT-SEEN': 2 })
})

test.concurrent('in tests, the case that shows it fails with the finding of the one before, once', async () => {
  const shop = await world.open(Stopping)
  const tests = new ConformTests({ emulator: world.emulator, config: shop.config })
  await tests.check('K01')
  shop.stopped = true
  const failed = await tests.check('K08').catch((error: unknown) => error)
  if (!(failed instanceof CaseFailed)) throw failed
  expect(failed.result).toMatchObject({ id: 'K01', finding: { defect: 'stopped' } })
  expect(failed.message).toContain(`-t 'K01|K08'`)
  expect(await tests.check('K11')).toMatchObject({ verdict: 'NOT-SEEN' })
  await tests.close()
})
