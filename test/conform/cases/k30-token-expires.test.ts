import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that gets another token', async () => {
  const report = await world.run(await world.open(CarefulShop), ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that had a token from the start and gets another when it is refused', async () => {
  class Given extends CarefulShop {
    #first: string | null = this.client.accessToken
    override async freshToken() {
      const given = this.#first
      this.#first = null
      return given ?? super.freshToken()
    }
  }
  const report = await world.run(await world.open(Given), ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that has always got a token for each call', async () => {
  class Wasteful extends CarefulShop {
    override token() {
      return this.freshToken()
    }
  }
  const report = await world.run(await world.open(Wasteful), ['K30'])
  expect(resultOf(report, 'K30').verdict).toBe('PASS')
})

test.concurrent('is not seen with a token that never expires', async () => {
  const report = await world.run(await world.open(ModelShop), ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('never requested an access token'),
  })
})

test.concurrent('leaves a token of its own good again', async () => {
  const shop = await world.open(ModelShop)
  await world.run(shop, ['K30'])
  const report = await world.run(shop, ['K01'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
})

class OnlyAtStart extends CarefulShop {
  override refusesToken() {
    return false
  }
}

test.concurrent('fails one that gets a token when it starts and never again', async () => {
  const report = await world.run(await world.open(OnlyAtStart), ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test.concurrent('finds that in no other case, though their clocks move by hours', async () => {
  const report = await world.run(await world.open(OnlyAtStart), ['K01', 'K08', 'K37'])
  expect(report.counts.FAIL).toBe(0)
})

test.concurrent('fails one that goes on with the old token', async () => {
  class Stubborn extends CarefulShop {
    override async freshToken() {
      await super.freshToken()
      return this.client.accessToken
    }
  }
  const report = await world.run(await world.open(Stubborn), ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'lost', did: expect.stringContaining('kept sending the rejected one') },
  })
})

test.concurrent('fails one that gets a new token for each call from then on', async () => {
  class Forgetful extends CarefulShop {
    #kept: Promise<string> | null = null
    override token() {
      this.#kept ??= this.freshToken()
      return this.#kept
    }
    override async call(path: string, body?: object, headers: Record<string, string> = {}) {
      const first = await this.attempt(path, await this.token(), { body, headers })
      if (!this.refusesToken(first)) return first
      return this.attempt(path, await this.freshToken(), { body, headers })
    }
  }
  const report = await world.run(await world.open(Forgetful), ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'endless' } })
})

/** Has got its token before the run, and gets no other. */
async function withTokenFor(lifetime: string): Promise<OnlyAtStart> {
  const shop = await world.open(OnlyAtStart)
  await shop.client.change({ settings: { 'auth.tokenLifetime': lifetime } })
  await shop.token()
  return shop
}

const notRenewed = expect.stringMatching(/its access token has expired .*: see K30$/)

test.concurrent('fails one that makes no order any more since its token has expired on the way', async () => {
  const report = await world.run(await withTokenFor('30m'), ['K01', 'K16', 'K17', 'K18', 'K20', 'K30', 'K37'])
  expect(report).toMatchObject({ ok: false, problems: [] })
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  // K16 moves the clock for the cases beside it too, and these begin at about the same time.
  for (const id of ['K17', 'K18'] as const)
    expect(resultOf(report, id)).toMatchObject({ verdict: 'NOT-SEEN', note: notRenewed })
  expect(resultOf(report, 'K30')).toMatchObject({
    verdict: 'FAIL',
    finding: {
      defect: 'lost',
      did: expect.stringMatching(/it requested no new one\. It created no more orders/),
    },
  })
})

test.concurrent('fails one whose token had expired before the run', async () => {
  const shop = await withTokenFor('30m')
  await shop.client.clock.advance('1h')
  const report = await world.run(shop, ['K01', 'K30'])
  expect(resultOf(report, 'K01')).toMatchObject({ verdict: 'NOT-SEEN', note: notRenewed })
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test.concurrent('does not fail one that gives an order up and gets another token for the next', async () => {
  class NextTime extends CarefulShop {
    #held: string | null = null
    override async call(path: string, body?: object, headers: Record<string, string> = {}) {
      this.#held ??= await this.freshToken()
      const reply = await this.attempt(path, this.#held, { body, headers })
      if (this.refusesToken(reply)) this.#held = null
      return reply
    }
  }
  const shop = await world.open(NextTime)
  await shop.client.change({ settings: { 'auth.tokenLifetime': '30m' } })
  await shop.lookUp('nothing')
  await shop.client.clock.advance('1h')
  const report = await world.run(shop, ['K01', 'K08', 'K30'])
  expect(report.counts).toMatchObject({ PASS: 3 })
})

test.concurrent('knows of a token that was asked for so long ago that the journal has forgotten it', async () => {
  const shop = await world.open(OnlyAtStart)
  await shop.token()
  for (let n = 0; n < 510; n++) await shop.lookUp('nothing')
  const report = await world.run(shop, ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test.concurrent('no other case waits for one that makes orders, and looks them up with the old token', async () => {
  class TwoTokens extends OnlyAtStart {
    override async create(requestId: string, text: string) {
      const kept = this.token
      this.token = () => this.freshToken()
      try {
        return await super.create(requestId, text)
      } finally {
        this.token = kept
      }
    }
  }
  const shop = await world.open(TwoTokens)
  await shop.client.change({ settings: { 'auth.tokenLifetime': '30m' } })
  await shop.token()
  const report = await world.run(shop, ['K16', 'K20', 'K22', 'K30'])
  expect(resultOf(report, 'K22')).toMatchObject({ verdict: 'NOT-SEEN', note: notRenewed })
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'FAIL' })
})
