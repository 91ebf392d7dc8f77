import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { aProject, type Project } from '../support/project.ts'
import { run } from '../support/run.ts'
import { packed } from '../support/tarball.ts'
import { offline } from './support/installed.ts'

/** Written twice: Jest gives each file a sandbox of its own, in one process. */
const tests = `
  const { connectEmulator, FetchRefused, ServiceCallRefused, startEmulator } = require('payment-order-emulator')
  const { CaseFailed, conform, ConformTests, NotConfigured, StoryFailed, StoryTests } = require('payment-order-emulator/conform')

  let emulator
  beforeAll(async () => { emulator = await startEmulator({ clock: 'manual' }) })
  afterAll(() => emulator.close())

  test('lists are lists of this sandbox, and errors are its errors', async () => {
    const client = await emulator.createClient()
    const order = { fiatAmount: '10.00', email: 'a@example.com', requestId: 'r1' }
    await client.createCheckoutOrder(order)
    const orders = await client.orders.list()
    expect(orders.map(({ requestId }) => requestId)).toStrictEqual(['r1'])
    expect(orders).toBeInstanceOf(Array)
    const again = client.createCheckoutOrder(order)
    await expect(again).rejects.toBeInstanceOf(ServiceCallRefused)
    await expect(again).rejects.toBeInstanceOf(Error)
    await expect(again).rejects.toThrow('7001')
  })

  test('faked timers keep nothing from happening', async () => {
    jest.useFakeTimers()
    const client = await emulator.createClient()
    await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
    await client.clock.advance('1h')
    expect(await client.orders.list()).toMatchObject([{ orderStatus: 'COMPLETED' }])
    const inbox = await emulator.webhookInbox(client)
    await expect(inbox.next({}, { timeoutMs: 20 })).rejects.toThrow('within 20 ms')
    jest.useRealTimers()
  })

  test('webhooks come in, with and without a port, and the emulator’s own fetch answers', async () => {
    for (const listen of [true, false]) {
      const another = await startEmulator({ clock: 'manual', listen })
      const client = await another.createClient()
      const inbox = await another.webhookInbox(client)
      const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
      expect((await inbox.next({ requestId })).event).toMatchObject({ orderStatus: 'CREATED' })
      const health = await another.fetch(another.url + '/_emulator/health')
      expect(await health.json()).toMatchObject({ status: 'ok' })
      await another.close()
    }
  })

  test('another URL is refused by an error of this sandbox', async () => {
    await expect(emulator.fetch('http://shop.test/')).rejects.toBeInstanceOf(FetchRefused)
  })

  test('conform tells of an application that ships for every webhook, by errors of this sandbox', async () => {
    // jsdom has none.
    const { Response } = require('node:vm').runInThisContext('globalThis')
    let parcels = 0
    const another = await startEmulator({ listen: false, webhookFetch: () => {
      parcels += 1
      return new Response(null, { status: 204 })
    } })
    const client = await another.createClient({ webhookUrl: 'http://shop.test/webhooks' })
    const config = {
      client: client.clientId,
      settle: '20ms',
      start: async () => {
        parcels = 0
        return (await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })).requestId
      },
      probe: () => ({ status: parcels > 0 ? 'COMPLETED' : 'CREATED', effects: parcels }),
    }
    const tests = new ConformTests({ emulator: another, config })
    const failed = tests.check('K01')
    await expect(failed).rejects.toBeInstanceOf(CaseFailed)
    await expect(failed).rejects.toBeInstanceOf(Error)
    await expect(failed).rejects.toThrow('K01 FAIL')
    await tests.close()
    const report = await conform(another, { ...config, settle: 20 })
    expect(report).toMatchObject({ ok: false, problems: [{ member: 'settle' }] })
    await expect(new ConformTests({ emulator: another, config: { ...config, polling: 'soon' } }).check('K01')).rejects.toBeInstanceOf(NotConfigured)
    await another.close()
  })

  test('a story that is kept in a file fails by an error of this sandbox', async () => {
    const { Response } = require('node:vm').runInThisContext('globalThis')
    const parcels = new Map()
    const another = await startEmulator({ listen: false, webhookFetch: async (request) => {
      const { requestId, orderStatus } = JSON.parse(await request.text())
      if (orderStatus === 'COMPLETED') parcels.set(requestId, (parcels.get(requestId) ?? 0) + 1)
      return new Response(null, { status: 204 })
    } })
    const client = await another.createClient({ webhookUrl: 'http://shop.test/webhooks' })
    const config = {
      client: client.clientId,
      settle: '20ms',
      start: async () => (await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })).requestId,
      probe: (id) => ({ status: parcels.has(id) ? 'COMPLETED' : 'CREATED', effects: parcels.get(id) ?? 0 }),
      cancel: () => { throw new Error('too late') },
    }
    const stories = new StoryTests({ emulator: another, config }, { folder: 'found' })
    expect(stories.stories).toStrictEqual([{ name: 'twice' }])
    const failed = stories.check('twice')
    await expect(failed).rejects.toBeInstanceOf(StoryFailed)
    await expect(failed).rejects.toThrow('released 2, paid 1')
    await stories.close()
    await another.close()
  })

  test('nobody there is told in words', async () => {
    await expect(connectEmulator('http://127.0.0.1:9')).rejects.toThrow('Nothing is running there.')
  })`

const anyEnvironment = 'any-environment.cjs'
const ordersPlayed = `
  const library = require('payment-order-emulator')
  const { playOrders } = require('./${anyEnvironment}')
  test('orders are played', () => playOrders(library), 30_000)`

let project: Project
beforeAll(async () => {
  project = aProject()
  const environments = ['jest-environment-jsdom@30', '@happy-dom/jest-environment@20']
  await project.install('jest@30', ...environments, 'whatwg-fetch@3', await packed())
  copyFileSync(join(import.meta.dirname, 'support', anyEnvironment), join(project.path, anyEnvironment))
})

test.for(['node', 'jsdom', '@happy-dom/jest-environment'])(
  'the library works in the sandboxes of Jest with the globals of %s',
  async (env) => {
    project.write({
      'found/twice.yaml': 'promise: released-once\nacts: [create, cancel, pay, repeat the webhook]\n',
      'one.test.js': tests,
      'two.test.js': tests,
      'orders.test.js': ordersPlayed,
      'polyfilled.test.js': `require('whatwg-fetch')\n${ordersPlayed}`,
    })
    const jest = join('node_modules', 'jest', 'bin', 'jest.js')
    const { code, err } = await run(process.execPath, [jest, '--runInBand', '--env', env], {
      cwd: project.path,
      env: offline,
    })
    expect(err).toContain('Tests:       16 passed, 16 total')
    expect(err).not.toMatch(/warning|did not exit|leak/i)
    expect(code).toBe(0)
  },
)
