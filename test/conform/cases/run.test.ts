import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaseId, Conformance, type Given } from '../../../src/conform/index.ts'
import { EmulatorUnreachable } from '../../../src/index.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('an emulator that goes away is told as such', async () => {
  const other = await shops()
  const shop = await other.open(ModelShop)
  const run = new Conformance(other.emulator, shop.config, {
    only: ['K01', 'K08'],
    onResult: () => void other.emulator.close(),
  })
  await expect(run.run()).rejects.toThrow(EmulatorUnreachable)
})

test('two runs for two clients do not disturb each other', async () => {
  const [one, two] = [await world.open(ModelShop), await world.open(ModelShop)]
  const only: CaseId[] = ['K01', 'K02', 'K08', 'K36']
  const reports = await Promise.all([world.run(one, only), world.run(two, only)])
  expect(reports.map(({ counts }) => counts.PASS)).toEqual([4, 4])
})

test('a second run says the same as the first', async () => {
  const shop = await world.open(CarefulShop)
  const verdicts = async () => {
    const report = await world.run(shop, ['K01', 'K02', 'K08', 'K30', 'K32', 'K37'])
    return report.cases.map(({ id, verdict }) => `${id} ${verdict}`)
  }
  expect(await verdicts()).toEqual(await verdicts())
})

test('orders that an application makes of its own do not get in the way', async () => {
  class Busy extends ModelShop {
    #turn = 0
    override async buy(given: Given) {
      this.#turn += 1
      // Every other time an order of its own comes first, and takes what was planned.
      if (this.#turn % 2 === 0) await super.buy(given)
      return super.buy(given)
    }
  }
  const report = await world.run(await world.open(Busy), ['K01', 'K02', 'K36'])
  expect(report.counts).toMatchObject({ PASS: 3 })
})

test('a case that there is not is told with the nearest that there is', async () => {
  const shop = await world.open(ModelShop)
  const run = () => new Conformance(world.emulator, shop.config, { only: ['K018'] })
  expect(run).toThrow(RangeError)
  expect(run).toThrow(/no case K018; did you mean/)
})

test('a probe that begins to throw is a finding, and does not end the run', async () => {
  const shop = await world.open(ModelShop)
  let throws = false
  const probe = (requestId: string) => {
    if (throws) throw new TypeError('no such column')
    return shop.show(requestId)
  }
  const run = new Conformance(
    world.emulator,
    { ...shop.config, probe },
    {
      only: ['K01', 'K08'],
      onCase: ({ id }) => {
        throws = id === 'K01'
      },
    },
  )
  const report = await run.run()
  expect(resultOf(report, 'K01')).toMatchObject({
    verdict: 'FAIL',
    finding: { did: expect.stringContaining('no such column') },
  })
  expect(resultOf(report, 'K08').verdict).toBe('PASS')
})

test('a reconcile that throws from the start is a problem of the configuration', async () => {
  const reconcile = () => {
    throw new Error('no queue')
  }
  const report = await world.run(await world.open(ModelShop), ['K01'], { reconcile })
  expect(report.problems).toEqual([
    { member: 'reconcile', message: expect.stringContaining('threw: no queue') },
  ])
})

test('the webhook URL is set again for an application that answers 410', async () => {
  class Closed extends ModelShop {
    override async webhook(request: Request) {
      await super.webhook(request)
      return new Response(null, { status: 410 })
    }
  }
  const report = await world.run(await world.open(Closed), ['K21'])
  const { finding } = resultOf(report, 'K21')
  expect(finding?.timeline.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('sets the webhook URL again'),
  )
})

test('a case draws the same alone as after others', async () => {
  const shown: string[] = []
  class Reading extends ModelShop {
    override act(requestId: string, record: FiatRecord) {
      if (!['CREATED', 'COMPLETED', 'FAILED'].includes(record.orderStatus)) shown.push(record.orderStatus)
      super.act(requestId, record)
    }
  }
  const shop = await world.open(Reading)
  // Of four words; by one seed two might be drawn alike by chance.
  for (const seed of ['a', 'b', 'c', 'd'])
    for (const only of [['K22'], ['K02', 'K22']] as const)
      await new Conformance(world.emulator, shop.config, { only, seed }).run()
  const [alone, afterOthers] = [0, 1].map((turn) => shown.filter((_, n) => n % 2 === turn))
  expect(afterOthers).toEqual(alone)
})

test('a fault that was planned before is told, and nothing is judged by it', async () => {
  const shop = await world.open(ModelShop)
  const { id } = await shop.client.faults.plan({ on: 'orders', effect: { status: 503 }, times: 1 })
  const report = await world.run(shop, ['K01'])
  expect(report.problems).toEqual([{ member: 'client', message: expect.stringContaining(id) }])
  expect(report.cases).toEqual([])
})

test('the retries that a client was set to for other tests do not count in a run', async () => {
  const shop = await world.open(ModelShop)
  await shop.client.change({ settings: { 'webhook.retry.max': 0, 'webhook.retry.base': '1h' } })
  const report = await world.run(shop, ['K12'])
  expect(resultOf(report, 'K12').verdict).toBe('PASS')
})

test('the schedule, limits, ids and amounts of a provider change no verdict, and stand again after the run', async () => {
  const shop = await world.open(ModelShop)
  const settings = {
    'webhook.retry.schedule': ['5h', '2d'],
    'webhook.retry.after': 'ignore',
    'webhook.gone': 'retry',
    'orders.ids': 'PO-${createdAt:yyyymmdd}-${digits:6}',
    'orders.tokens': 'tok_${base62:24}',
    'responses.urlField': 'offerInfoData.url',
    'amounts.echo': 'two-decimals',
    // Fewer than the cases call at one time.
    limits: [{ on: ['create-checkout-order', 'orders'], max: 3, per: '1m' }],
  }
  await shop.client.change({ settings })
  const cases = ['K01', 'K02', 'K12', 'K21', 'K24', 'K37', 'K51', 'K56'] as const
  const report = await world.run(shop, [...cases])
  const plain = await world.run(await world.open(ModelShop), [...cases])
  const verdicts = ({ cases: each }: typeof report) => each.map(({ id, verdict }) => [id, verdict])
  expect(verdicts(report)).toEqual(verdicts(plain))
  expect((await shop.client.read()).settings).toEqual(settings)
})
