import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CaseId, Conformance, type Given } from '../../../src/conform/index.ts'
import { EmulatorUnreachable, type TestClient } from '../../../src/index.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** A shop that is asked for its orders over a port, which closes when it dies. */
async function overPort(shop: ModelShop) {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(shop.show(request.url?.slice(1) ?? '')))
  })
  const listen = async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const port = await listen(0)
  onTestFinished(() => void server.close())
  const statuses = { CREATED: 'CREATED', COMPLETED: 'COMPLETED', FAILED: 'FAILED' }
  const url = `http://127.0.0.1:${port}/{requestId}`
  return {
    config: { ...shop.config, probe: { url, status: '/status', statuses, effects: '/effects' } },
    die: () => {
      server.close()
      server.closeAllConnections()
    },
    rise: () => listen(port),
  }
}

/** Runs three cases against a shop that dies in one of them, as soon as an order has failed. */
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
    only: ['K02', 'K08', 'K36'],
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
  for (const id of ['K08', 'K36'] as const)
    expect(resultOf(report, id)).toMatchObject({
      verdict: 'NOT-SEEN',
      note: 'the application no longer runs since K02',
    })
})

test('dying is a failure, whatever the level of the case', async () => {
  const report = await dyingIn('K36', { risesAgain: false })
  expect(resultOf(report, 'K36')).toMatchObject({ level: 'SHOULD', verdict: 'FAIL' })
  expect(resultOf(report, 'K36').finding?.should).toMatch(/^Go on running/)
})

test('an application that somebody starts again is asked on', async () => {
  const report = await dyingIn('K02', { risesAgain: true })
  expect(resultOf(report, 'K08').verdict).toBe('PASS')
})

/** What a run may have changed of a client. */
async function stateOf(client: TestClient) {
  const { webhookUrl, settings, clock } = await client.read()
  const faults = await client.faults.list()
  return { webhookUrl, settings, mode: clock.mode, faults, planned: await client.scenarios.planned() }
}

test('everything is put back after a run', async () => {
  const shop = await world.open(CarefulShop)
  await shop.client.change({ settings: { 'webhook.retry.max': 3 } })
  const before = await stateOf(shop.client)
  await world.run(shop, ['K30', 'K32', 'K39'], { webhookSignature: 'standard' })
  expect(await stateOf(shop.client)).toEqual(before)
})

test('everything is put back though something else breaks, and the error is thrown', async () => {
  const shop = await world.open(ModelShop)
  const before = await stateOf(shop.client)
  const run = new Conformance(world.emulator, shop.config, {
    only: ['K01', 'K08'],
    onResult: () => {
      throw new TypeError('a bug')
    },
  })
  await expect(run.run()).rejects.toThrow('a bug')
  expect(await stateOf(shop.client)).toEqual(before)
})

test('everything is put back when somebody ends the run, and its reason is thrown', async () => {
  const shop = await world.open(ModelShop)
  const before = await stateOf(shop.client)
  const ended = new AbortController()
  const run = new Conformance(world.emulator, shop.config, {
    only: ['K32', 'K08'],
    signal: ended.signal,
    onCase: () => ended.abort(new Error('enough')),
  })
  await expect(run.run()).rejects.toThrow('enough')
  expect(await stateOf(shop.client)).toEqual(before)
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

/** Works later than the tests of conform are set to wait. */
class Slow extends ModelShop {
  override async webhook(request: Request) {
    const copy = request.clone()
    setTimeout(() => void super.webhook(copy).catch(() => undefined), 300)
    return new Response()
  }
}

test('an application that is slower than its configuration says is waited for', async () => {
  const report = await world.run(await world.open(Slow), ['K01', 'K08'], { polling: '1s' })
  expect(report.counts).toMatchObject({ PASS: 2 })
})

test('one that is slow and wrong is watched for long enough', async () => {
  class SlowAndGenerous extends Slow {
    readonly #asked = new Map<string, number>()
    override act(requestId: string, record: FiatRecord) {
      const asked = (this.#asked.get(requestId) ?? 0) + 1
      this.#asked.set(requestId, asked)
      // Both events of an order are one occasion; what comes after them ships again.
      if (asked > 2) this.purchases.get(requestId)?.shipped.clear()
      super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(SlowAndGenerous), ['K08'], { polling: '1s' })
  expect(resultOf(report, 'K08')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
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

test('a run that is ended while a call of the application hangs ends at once', async () => {
  const shop = await world.open(ModelShop)
  const before = await stateOf(shop.client)
  const ended = new AbortController()
  let hangs = false
  const start = (given: Given) => {
    if (!hangs) return shop.buy(given)
    setImmediate(() => ended.abort(new Error('enough')))
    return new Promise<never>(() => {})
  }
  const run = new Conformance(
    world.emulator,
    { ...shop.config, start },
    {
      only: ['K01'],
      signal: ended.signal,
      onCase: () => {
        hangs = true
      },
    },
  )
  await expect(run.run()).rejects.toThrow('enough')
  expect(await stateOf(shop.client)).toEqual(before)
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

test('one that polls as seldom as its configuration says is waited for, whenever it last did', async () => {
  class Polling extends ModelShop {
    override async webhook(_: Request) {
      return new Response()
    }
  }
  const shop = await world.open(Polling)
  let beginsMs: number | null = null
  // In the preflight it happens to look at once.
  const probe = async (requestId: string) => {
    if (beginsMs === null || Date.now() > beginsMs + 600) await shop.settle(requestId)
    return shop.show(requestId)
  }
  const run = new Conformance(
    world.emulator,
    { ...shop.config, probe, polling: '1s' },
    {
      only: ['K01'],
      onCase: () => {
        beginsMs = Date.now()
      },
    },
  )
  expect(resultOf(await run.run(), 'K01').verdict).toBe('PASS')
})
