import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { connectEmulator, startEmulator } from '../../src/index.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { forms, inEachForm } from './support/forms.ts'

const thrownBy = (act: Promise<unknown>): Promise<Error> =>
  act.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (error: unknown) => (error instanceof Error ? error : Promise.reject(error)),
  )

inEachForm('an error', (emulator) => {
  test('begins, in its stack, at the line of the test', async () => {
    const client = await emulator().createClient()
    const errors = [
      await thrownBy(client.clock.advance('soon')),
      await thrownBy(client.requests.verify({ requestId: 'none' })),
      await thrownBy(client.createCheckoutOrder({ fiatAmount: '1.005' })),
      await thrownBy(client.orders.get('none')),
      await thrownBy(client.orders.get('')),
    ]
    for (const { stack = '', name, message } of errors) {
      expect(stack).toContain(`${name}: ${message}\n    at `)
      expect(stack.slice(`${name}: ${message}\n`.length)).toMatch(/^ +at .*errors\.test\.ts:\d+/)
    }
  })

  test('prints its message once, and no body', async () => {
    const client = await emulator().createClient()
    await client.createCheckoutOrder({ requestId: 'r1' })
    const error = await thrownBy(client.requests.verify({ requestId: 'r2' }))
    expect(inspect(error).split(error.message)).toHaveLength(2)
    expect(JSON.parse(JSON.stringify(error))).toEqual({ status: 409, code: 'not_verified' })
    expect(error).toMatchObject({ body: { count: 0 }, nearest: [{ requestId: 'r1' }] })
  })

  test('has all of a long answer in its body, and the beginning in its message', async () => {
    const client = await emulator().createClient()
    const text = 'x'.repeat(10_000)
    await client.faults.plan({ on: 'orders', effect: { status: 500, body: text } })
    const error = await thrownBy(client.fiatOrders('r1'))
    expect(error).toMatchObject({ body: text, diagnosis: null })
    expect(error.message.length).toBeLessThan(700)
  })

  test('of a call whose time is up is the same, whatever the way to the emulator', async () => {
    const client = await emulator().createClient()
    const body = { for: 'order', where: { requestId: 'r1' }, timeoutMs: 5_000 }
    const late = client.control('POST', '/wait', { body, withinMs: 10 })
    await expect(late).rejects.toMatchObject({
      name: 'EmulatorUnreachable',
      message: expect.stringContaining('too long'),
    })
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2 ** 33, -1])(
    'of a wait of %s ms is what the emulator says of it',
    async (timeoutMs) => {
      const client = await emulator().createClient()
      const waiting = client.waitFor('order', { requestId: 'r1' }, { timeoutMs })
      await expect(waiting).rejects.toMatchObject({
        name: 'ControlCallRefused',
        message: expect.stringContaining('timeoutMs: '),
      })
    },
  )

  test('of a service that answers 200 with no JSON is one of the service', async () => {
    const client = await emulator().createClient()
    await client.faults.plan({ on: 'orders', effect: { status: 200, body: '<html>' } })
    await expect(client.fiatOrders('r1')).rejects.toMatchObject({ name: 'ServiceCallRefused', status: 200 })
  })
})

describe.each(forms)('an emulator %s', (_, begin) => {
  test('that has been closed says so to whatever comes later', async () => {
    const emulator = await begin()
    const client = await emulator.createClient()
    await emulator.close()
    await emulator.close()
    await expect(client.orders.list()).rejects.toThrow(
      'GET /_emulator/orders was called after emulator.close(): is an',
    )
    await expect(client.createCheckoutOrder()).rejects.toThrow(
      'create-order was called after emulator.close()',
    )
    await expect(emulator.createClient()).rejects.toMatchObject({ name: 'EmulatorUnreachable' })
  })

  test('that has been closed is no error to its clients when they end', async () => {
    const emulator = await begin()
    await using client = await emulator.createClient()
    await emulator.close()
    expect(client.clientId).not.toBe('')
  })

  test('that has been closed is reached by no fetch either, not even a first one', async () => {
    const emulator = await begin()
    await emulator.close()
    await expect(emulator.fetch(`${emulator.url}/_emulator/health`)).rejects.toThrow('fetch failed')
  })

  test('that is closed under calls says so to them, and has no bug', async () => {
    const emulator = await begin({ clock: 'manual' })
    const client = await emulator.createClient()
    const calls = Array.from({ length: 20 }, () => [
      client.orders.make(),
      emulator.createClient(),
      client.snapshot(),
      client.clock.advance('1h'),
      client.createCheckoutOrder(),
    ]).flat()
    const settled = Promise.allSettled(calls)
    await client.orders.list()
    await emulator.close()
    const words = (await settled).flatMap((call) => (call.status === 'rejected' ? [String(call.reason)] : []))
    expect(words.filter((each) => !/emulator\.close\(\)|503 stopping/.test(each))).toEqual([])
    expect(words).not.toEqual([])
  })

  test('that is closed while something waits ends the wait with an error', async () => {
    const emulator = await begin()
    const client = await emulator.createClient()
    const waiting = thrownBy(client.waitFor('order', { requestId: 'never' }))
    await client.orders.list()
    await emulator.close()
    expect((await waiting).message).toMatch(/POST \/_emulator\/wait/)
  })
})

test('an emulator that ends in the middle of a call is told, with what to ask', async () => {
  const served = await startTestEmulator()
  const emulator = await connectEmulator(served.url)
  const client = await emulator.createClient()
  const waiting = thrownBy(client.waitFor('order', { requestId: 'never' }))
  await client.orders.list()
  await served.close()
  expect((await waiting).message).toMatch(/stopp/)
  const later = await thrownBy(client.orders.list())
  expect(later.message).toMatch(
    /^No answer from the emulator at http:.* to GET \/_emulator\/orders: .*Nothing is running there/,
  )
  await emulator.close()
})

test('clients and emulators print as what they are', async () => {
  await using emulator = await startEmulator()
  const client = await emulator.createClient({ clientId: 'shop' })
  expect(inspect(client)).toBe(`TestClient { clientId: 'shop', url: '${emulator.url}' }`)
  expect(inspect(emulator)).toBe(`TestEmulator { url: '${emulator.url}' }`)
  expect(JSON.parse(JSON.stringify({ client }))).toEqual({ client: { clientId: 'shop', url: emulator.url } })
})
