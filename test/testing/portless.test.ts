import { expect, test } from 'vitest'
import { type StartOptions, startEmulator } from '../../src/index.ts'
import { startReceiver } from '../support/receiver.ts'

const checkout = { fiatAmount: '10.00', email: 'a@example.com', requestId: 'r1' }

test.each<[string, StartOptions]>([
  ['port', { listen: false, port: 4600 }],
  ['host', { listen: false, host: '127.0.0.1' }],
])('An emulator without a port takes no %s', async (name, options) => {
  await expect(startEmulator(options)).rejects.toThrow(`startEmulator: ${name}: has no effect with`)
})

test('Something else than a function does not take webhooks', async () => {
  const options: object = { webhookFetch: 'http://127.0.0.1:3000' }
  await expect(startEmulator(options)).rejects.toThrow('startEmulator: webhookFetch: expected a function')
})

test('An emulator without a port opens none', async () => {
  const servers = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'))
  const before = servers()
  await using emulator = await startEmulator({ listen: false })
  const client = await emulator.createClient()
  await client.createCheckoutOrder(checkout)
  await emulator.fetch(emulator.url)
  expect(servers()).toEqual(before)
})

test('An emulator without a port still sends webhooks over the network', async () => {
  await using emulator = await startEmulator({ listen: false, clock: 'manual' })
  const receiver = await startReceiver()
  const client = await emulator.createClient({ webhookUrl: receiver.url })
  await client.createCheckoutOrder(checkout)
  expect(await receiver.received(1)).toMatchObject([{ json: { orderStatus: 'CREATED' } }])
})

test('Emulators in one process know nothing of each other', async () => {
  const seeds = ['one', 'two', 'three']
  const emulators = await Promise.all(
    seeds.map((seed, index) =>
      startEmulator({ seed, clock: 'manual', startTime: `202${index}-01-01T00:00:00Z`, listen: index > 0 }),
    ),
  )
  const [first, second, third] = emulators
  const clients = await Promise.all(
    emulators.map((emulator) => emulator.createClient({ clientId: 'same', accessToken: 'same' })),
  )
  await first?.changeSettings({ 'orders.expiry': '7m' })
  await first?.faults.plan({ on: 'orders', effect: { status: 503 } })
  const orders = await Promise.all(clients.map((client) => client.createCheckoutOrder(checkout)))
  await clients[1]?.clock.advance('1h')
  expect(new Set(orders.map(({ token }) => token)).size).toBe(3)
  expect(await Promise.all(clients.map(({ clock }) => clock.now()))).toEqual([
    Date.UTC(2020, 0, 1),
    Date.UTC(2021, 0, 1, 1),
    Date.UTC(2022, 0, 1),
  ])
  expect((await second?.settings())?.effective['orders.expiry']).not.toBe('7m')
  await first?.close()
  expect(await third?.clients()).toMatchObject([{ clientId: 'demo-client' }, { clientId: 'same' }])
  expect(await clients[1]?.fiatOrders('r1')).toMatchObject([{ orderStatus: 'COMPLETED' }])
  await Promise.all(emulators.map((emulator) => emulator.close()))
})
