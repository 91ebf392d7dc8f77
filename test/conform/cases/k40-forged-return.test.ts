import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { dataIn, ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that looks the order up when the browser comes back', async () => {
  const report = await world.run(await world.open(ModelShop), ['K40'])
  expect(resultOf(report, 'K40')).toMatchObject({ verdict: 'PASS', note: null })
})

test('fails one that believes the browser, and says how to repeat it', async () => {
  class Believing extends ModelShop {
    override async browser(url: string) {
      const { requestId, orderId, orderStatus } = dataIn(url)
      this.act(requestId, { orderId, orderStatus })
      return new Response('Thank you')
    }
  }
  const report = await world.run(await world.open(Believing), ['K20', 'K40'])
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
  expect(resultOf(report, 'K40')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'believed', sent: null, curl: expect.stringMatching(/^curl -i -L '.+return\?data=/) },
  })
})

test('fails one that releases again when the page is opened again', async () => {
  class GenerousToBrowsers extends ModelShop {
    override async browser(url: string) {
      const { requestId } = dataIn(url)
      this.purchases.get(requestId)?.shipped.clear()
      await this.settle(requestId)
      return new Response('Thank you')
    }
  }
  const report = await world.run(await world.open(GenerousToBrowsers), ['K40'])
  expect(resultOf(report, 'K40')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test('passes one that answers 500 to the browser, with a word', async () => {
  class Broken extends ModelShop {
    override async browser() {
      return new Response(null, { status: 500 })
    }
  }
  const report = await world.run(await world.open(Broken), ['K40'])
  expect(resultOf(report, 'K40')).toMatchObject({ verdict: 'PASS', note: expect.stringContaining('500') })
})

test.each([
  ['no callbackUrl', undefined, 'sends no `callbackUrl`'],
  ['one of an app', 'myshop://paid', 'a browser cannot open'],
  ['one at a host that the configuration does not name', 'https://www.example.com/paid', 'www.example.com'],
])('is not seen with %s', async (_, callbackUrl, words) => {
  class Other extends ModelShop {
    override async call(path: string, body?: object, headers?: Record<string, string>) {
      return super.call(path, body && { ...body, callbackUrl }, headers)
    }
  }
  const report = await world.run(await world.open(Other), ['K40'], { browser: undefined })
  expect(resultOf(report, 'K40')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining(words) })
})

test('is not seen where the page cannot be reached', async () => {
  const report = await world.run(await world.open(ModelShop), ['K40'], { browser: undefined })
  expect(resultOf(report, 'K40')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('could not be opened'),
  })
})

test('is not seen where there is no such page', async () => {
  class Pathless extends ModelShop {
    override async browser() {
      return new Response(null, { status: 404 })
    }
  }
  const report = await world.run(await world.open(Pathless), ['K40'])
  expect(resultOf(report, 'K40').verdict).toBe('NOT-SEEN')
})

/** Its page is on the network, and leads to another one. */
async function networked(thanks: (shop: ModelShop, url: string) => string) {
  const server = createServer(async (request, response) => {
    const url = `http://127.0.0.1${request.url}`
    if (request.url?.startsWith('/return'))
      response.writeHead(302, { location: `/thanks${new URL(url).search}` }).end()
    else response.end(thanks(shop, url))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  class Networked extends ModelShop {
    override async call(path: string, body?: object, headers?: Record<string, string>) {
      const callbackUrl = `http://127.0.0.1:${port}/return`
      return super.call(path, body && { ...body, callbackUrl }, headers)
    }
  }
  const shop = await world.open(Networked)
  return shop
}

test('follows the redirects of the application', async () => {
  const shop = await networked((shop, url) => {
    const { requestId, orderId, orderStatus } = dataIn(url)
    shop.act(requestId, { orderId, orderStatus })
    return 'Thank you'
  })
  const report = await world.run(shop, ['K40'], { browser: undefined })
  expect(resultOf(report, 'K40')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'believed' } })
})

test('says of a page with scripts that those were not run', async () => {
  const shop = await networked(() => '<script src="/app.js"></script>')
  const report = await world.run(shop, ['K40'], { browser: undefined })
  expect(resultOf(report, 'K40')).toMatchObject({ verdict: 'PASS', note: expect.stringContaining('scripts') })
})
