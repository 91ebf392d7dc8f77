import { afterAll, beforeAll, expect, test } from 'vitest'
import { aProcess } from '../support/a-process.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent.each([ModelShop, CarefulShop])(
  'passes an application that sends secrets in headers: %o',
  async (shop) => {
    const opened = await world.open(shop)
    const process = aProcess({ output: () => 'order 4711 is paid' })
    const report = await world.run(opened, ['K01', 'K58'], {}, { process })
    expect(resultOf(report, 'K58')).toMatchObject({ verdict: 'PASS', note: null })
  },
)

/** A shop that adds something to its create calls. */
const adding = (more: (shop: ModelShop) => object) =>
  class extends ModelShop {
    override async call(path: string, body?: object, headers: Record<string, string> = {}) {
      return super.call(path, body && { ...body, metadata: more(this) }, headers)
    }
  }

test.concurrent.each([
  ['the API secret', adding(({ client }) => ({ secret: client.apiSecret }))],
  ['the webhook secret', adding(({ client }) => ({ secret: client.webhookSecret }))],
  ['the access token', adding(({ client }) => ({ trace: `token=${client.accessToken}` }))],
])('warns of one that sends %s in a body', async (secret, shop) => {
  const report = await world.run(await world.open(shop), ['K58'])
  expect(resultOf(report, 'K58')).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'leaked',
      did: expect.stringContaining(`${secret} in the body of POST /v1/client/checkout/create-order`),
    },
  })
})

test.concurrent('warns of one that sends its token in a query, in any case of the run', async () => {
  class InQueries extends CarefulShop {
    override async lookUp(requestId: string) {
      await this.call(`/v1/client/orders?token=${await this.token()}`)
      return super.lookUp(requestId)
    }
  }
  const report = await world.run(await world.open(InQueries), ['K01', 'K58'])
  expect(resultOf(report, 'K58').finding?.did).toMatch(
    /access token in the query of GET \/v1\/client\/orders \(\d+ times\)/,
  )
})

test.concurrent.each([
  ['the API secret', (shop: ModelShop) => shop.client.apiSecret],
  ['the webhook secret', (shop: ModelShop) => shop.client.webhookSecret],
  ['the access token', (shop: ModelShop) => shop.client.accessToken],
])('warns of one that prints %s', async (secret, printed) => {
  const shop = await world.open(ModelShop)
  const process = aProcess({ output: () => `config: { "x": "${printed(shop)}" }\n` })
  const report = await world.run(shop, ['K58'], {}, { process })
  expect(resultOf(report, 'K58').finding?.did).toBe(`It wrote ${secret} in its output.`)
})

test.concurrent('warns of one that prints a token which it was issued', async () => {
  const shop = await world.open(CarefulShop)
  let log = ''
  const process = aProcess({ output: () => log })
  log = `got ${await shop.token()}`
  const report = await world.run(shop, ['K58'], {}, { process })
  expect(resultOf(report, 'K58').finding?.did).toBe('It wrote an access token in its output.')
})

test.concurrent('is seen without a start call, by the calls that come', async () => {
  const report = await world.run(await world.open(ModelShop), ['K58'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K58').verdict).toBe('PASS')
})
