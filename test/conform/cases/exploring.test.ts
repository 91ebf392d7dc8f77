import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { explore } from '../../../src/conform/explore/explore.ts'
import type { ExploreOptions } from '../../../src/conform/explore/options.ts'
import type { ConformConfig, Given } from '../../../src/conform/index.ts'
import { actNames } from '../../../src/conform/stories/acts.ts'
import type { TestEmulator } from '../../../src/index.ts'
import { after } from '../../../src/time/timers.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { type FiatRecord, type ModelShop, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** A careful shop whose orders can be cancelled, and whose customers have carts. */
class Shop extends CarefulShop {
  readonly #carts = new Map<string, string>()

  override get config() {
    return {
      ...super.config,
      start: (given: Given) => this.submit(given),
      cancel: (requestId: string) => this.cancel(requestId),
    }
  }

  async submit(given: Given): Promise<string | null> {
    const known = this.#carts.get(given.cart)
    if (known !== undefined) return known
    const requestId = this.newPurchase()
    this.#carts.set(given.cart, requestId)
    await this.create(requestId, given.text, given.amount)
    return requestId
  }

  async cancel(requestId: string): Promise<void> {
    await this.settle(requestId)
    const purchase = this.purchases.get(requestId)
    if (purchase?.state === 'waiting') purchase.state = 'declined'
  }
}

const search = (
  shop: ModelShop,
  options: ExploreOptions = {},
  config: Partial<ConformConfig> = {},
  emulator: TestEmulator = world.emulator,
) => explore(emulator, { ...shop.config, ...config }, { seed: 'a test', stories: 300, ...options })

test.concurrent('finds nothing in a shop that does everything right', async () => {
  // It pauses for two seconds after a 429.
  const report = await search(await world.open(Shop), {}, { patience: '3s' })
  expect(report).toMatchObject({ ok: true, problems: [], stopped: null, found: [], unrepeated: 0 })
  expect(report.stories).toBe(300)
  expect(report.leftOut.map(({ acts }) => acts)).toEqual([['forge a signature'], ['restart']])
})

/** Its job looks first and asks then, so that a webhook may come between. */
class LooksFirst extends Shop {
  override async reconcile(): Promise<void> {
    await Promise.all([...this.purchases.keys()].map((requestId) => this.lookAfter(requestId)))
  }

  async lookAfter(requestId: string): Promise<void> {
    const purchase = this.purchases.get(requestId)
    if (purchase === undefined || purchase.shipped.size > 0) return
    const records = await this.lookUp(requestId)
    const paid = records?.find(({ orderStatus }) => orderStatus === 'COMPLETED')
    if (paid === undefined) return
    purchase.shipped.add(paid.orderId)
    purchase.state = 'paid'
    purchase.parcels += 1
  }
}

/** Acts that these tests need not combine. */
const others = actNames.filter((act) =>
  /lookups|forge|refund|first|cut|minute|hour|day|tokens|lost/.test(act),
)

test.concurrent('finds the race between a job and a webhook, and shows its order', async () => {
  const report = await search(await world.open(LooksFirst), {
    without: others,
    stopAtFirst: true,
    stories: 3_000,
  })
  const [found] = report.found
  expect(report.ok).toBe(false)
  expect(found).toMatchObject({ promise: 'released-once', seldom: false, did: 'released 2, paid 1' })
  expect(found?.acts.length).toBeLessThanOrEqual(5)
  expect(found?.repeats.broke).toBeGreaterThanOrEqual(19)
  expect(found?.seen.join('; ')).toContain('released 2, "COMPLETED"')
  expect(found?.sequence).toContain('<svg')
})

/** Ships once more a moment later, when a webhook is repeated. */
class ShipsLater extends Shop {
  readonly #met = new Set<string>()

  override act(requestId: string, record: FiatRecord): void {
    super.act(requestId, record)
    if (record.orderStatus !== 'COMPLETED') return
    if (this.#met.has(requestId)) after(100, () => this.again(requestId))
    this.#met.add(requestId)
  }

  again(requestId: string): void {
    const purchase = this.purchases.get(requestId)
    if (purchase !== undefined) purchase.parcels += 1
  }
}

test.concurrent('finds what is released a moment later', async () => {
  const report = await search(await world.open(ShipsLater), {
    without: others,
    stopAtFirst: true,
    stories: 3_000,
  })
  expect(report.found).toMatchObject([{ promise: 'released-once', seldom: false }])
  expect(report.found[0]?.acts.length).toBeLessThanOrEqual(4)
})

/** Believes a webhook that says COMPLETED while the lookup fails. */
class FailsOpen extends Shop {
  override async webhook(request: Request): Promise<Response> {
    const event = z
      .looseObject({ requestId: z.string(), orderId: z.string(), orderStatus: z.string() })
      .parse(await request.clone().json())
    const records = await this.lookUp(event.requestId)
    if (records === null) this.act(event.requestId, event)
    return super.webhook(request)
  }
}

test.concurrent('finds a shop that fails open', async () => {
  const report = await search(await world.open(FailsOpen), {
    without: others.filter((act) => act !== 'lookups answer 503' && act !== 'forge a status'),
    stopAtFirst: true,
    stories: 2_000,
  })
  expect(report.found).toMatchObject([{ promise: expect.stringMatching(/nothing-for-failures|released-/) }])
  expect(report.found[0]?.acts.length).toBeLessThanOrEqual(4)
})

/** Forgets an order that failed. */
class Forgets extends Shop {
  override act(requestId: string, record: FiatRecord): void {
    if (record.orderStatus === 'FAILED') this.purchases.delete(requestId)
    else super.act(requestId, record)
  }
}

test.concurrent('finds a shop that forgets failed orders, with two acts', async () => {
  const report = await search(await world.open(Forgets), {
    without: others,
    stopAtFirst: true,
    stories: 3_000,
  })
  expect(report.found).toMatchObject([
    { promise: 'released-in-the-end', acts: ['create', 'decline', 'pay'], repeats: { broke: 20 } },
  ])
})

test.concurrent('a search leaves the client as it was: no faults, holds, scenarios, other settings', async () => {
  // Scenarios are those of all clients, so this search has an emulator of its own.
  const closing: (() => Promise<void>)[] = []
  const own = await shops((close) => closing.push(close))
  try {
    const shop = await own.open(Shop)
    const before = await shop.client.read()
    await search(shop, { without: others, stories: 60 }, {}, own.emulator)
    const after = await shop.client.read()
    expect(after.webhookUrl).toBe(before.webhookUrl)
    expect(after.settings).toEqual(before.settings)
    expect(await shop.client.faults.list()).toEqual([])
    expect(await shop.client.scenarios.planned()).toEqual([])
    expect((await shop.client.scenarios.list()).filter(({ id }) => id.startsWith('conform-'))).toEqual([])
    expect(await shop.client.deliveries.list({ status: 'held' })).toEqual([])
  } finally {
    for (const close of closing) await close()
  }
})

test.concurrent.each<[string, (shop: Shop) => Partial<ConformConfig>, RegExp]>([
  ['no `start`', () => ({ start: undefined }), /^start: explore needs `start`/],
  ['no `probe`', () => ({ probe: undefined }), /^probe: explore needs `probe`/],
  [
    'a probe without fulfilments',
    (shop) => ({ probe: (requestId) => ({ status: shop.show(requestId)?.status ?? 'CREATED' }) }),
    /^probe\.effects: .*add `probe\.effects`/,
  ],
])('%s is a problem, and no story is played', async (_, config, expected) => {
  const shop = await world.open(Shop)
  const report = await search(shop, {}, config(shop))
  expect(report).toMatchObject({ ok: false, stories: 0, found: [] })
  expect(report.problems.map(({ member, message }) => `${member}: ${message}`).join('\n')).toMatch(expected)
})

/** Creates only so many orders. */
class Tires extends Shop {
  override async submit(given: Given): Promise<string | null> {
    return this.purchases.size > 60 ? null : super.submit(given)
  }
}

test.concurrent('an application that creates no more orders ends the search, which names its last stories', async () => {
  const report = await search(await world.open(Tires))
  expect(report.ok).toBe(false)
  expect(report.stopped?.why).toMatch(/^your application creates no more orders/)
  expect(report.stopped?.lastStories.length).toBeGreaterThan(0)
  expect(report.stories).toBeGreaterThan(10)
})

test.concurrent('an application that does not start again after a restart ends the search', async () => {
  let restarts = 0
  const process = {
    restart: async () => {
      restarts += 1
      if (restarts > 2) throw new Error('EADDRINUSE')
    },
    output: () => '',
  }
  const report = await search(await world.open(Shop), { process, without: others })
  expect(report.ok).toBe(false)
  expect(report.stopped?.why).toBe('your application was ended, and did not start again: EADDRINUSE')
  expect(report.stopped?.lastStories.flat().flat()).toContain('restart')
})

test.concurrent('an abort ends the search with what is known, and puts the client back', async () => {
  const shop = await world.open(Shop)
  const before = await shop.client.read()
  const abortion = new AbortController()
  const report = await search(shop, {
    signal: abortion.signal,
    onProgress: ({ stories }) => stories > 20 && abortion.abort(new Error('enough')),
  })
  expect(report).toMatchObject({ ok: true, found: [], stopped: null })
  expect(report.stories).toBeGreaterThan(20)
  expect(report.stories).toBeLessThan(300)
  expect((await shop.client.read()).settings).toEqual(before.settings)
})

test.concurrent('a second search of the same client is refused while the first runs', async () => {
  const shop = await world.open(Shop)
  const abortion = new AbortController()
  const { promise: playing, resolve } = Promise.withResolvers<void>()
  const first = search(shop, { signal: abortion.signal, onProgress: () => resolve() })
  await playing
  const second = await search(shop)
  expect(second.problems).toMatchObject([{ member: 'client', message: expect.stringMatching(/another run/) }])
  abortion.abort(new Error('over'))
  await first
})

test.concurrent('acts that are not wanted occur in no story', async () => {
  const shop = await world.open(Forgets)
  const report = await search(shop, { without: ['decline', 'fail', ...others], stories: 200 })
  expect(report.leftOut[0]).toEqual({ acts: ['decline', 'fail', ...others], why: 'as you asked for' })
  expect(report.found).toEqual([])
})
