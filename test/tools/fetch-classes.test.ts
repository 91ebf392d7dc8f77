import { get } from 'node:http'
import { resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const library: typeof import('../../src/index.ts') = await import(resolve('dist/index.js'))

afterEach(() => {
  vi.unstubAllGlobals()
})

test('What a test puts in the place of Response while an emulator first answers is not used', async () => {
  await using emulator = await library.startEmulator()
  const made: unknown[] = []
  class OfATest extends Response {
    constructor(...args: ConstructorParameters<typeof Response>) {
      super(...args)
      made.push(this)
    }
  }
  vi.stubGlobal('Response', OfATest)
  expect(await statusOf(`${emulator.url}/_emulator/clients`)).toBe(200)
  expect(made).toEqual([])
})

test('An application’s fetch of webhooks gets a Request of Node’s own, which it may copy and compare', async () => {
  const seen: unknown[] = []
  const webhookFetch = async (request: Request) => {
    seen.push(request instanceof Request, await new Request(request).json())
    return new Response()
  }
  await using emulator = await library.startEmulator({ clock: 'manual', listen: false, webhookFetch })
  const client = await emulator.createClient({ webhookUrl: 'http://shop.test/hooks' })
  await client.createCheckoutOrder()
  await client.clock.settle()
  expect(seen).toEqual([true, expect.objectContaining({ orderStatus: 'CREATED' })])
})

test('emulator.fetch answers a Response of Node’s own', async () => {
  await using emulator = await library.startEmulator({ listen: false })
  expect(await emulator.fetch(`${emulator.url}/_emulator/health`)).toBeInstanceOf(Response)
})

/** Without the classes of fetch, in a connection of its own. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject)
  })
