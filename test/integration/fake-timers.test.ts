import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { mock } from 'node:test'
import { afterEach, describe, expect, test, vi } from 'vitest'

const library: typeof import('../../src/index.ts') = await import(resolve('dist/index.js'))

afterEach(() => {
  vi.useRealTimers()
  mock.timers.reset()
  vi.restoreAllMocks()
})

const places = [
  ['with a port', {}],
  ['without a port', { listen: false }],
] as const

const ways = [
  ['vitest', () => vi.useFakeTimers({ now: 0 })],
  [
    'node:test',
    () => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: 0 }),
  ],
] as const

describe.each(places)('an emulator %s, in a test that fakes time', (_, options) => {
  test.each(ways)('of %s goes on as ever: orders, their webhooks, waits', async (_, fakeTime) => {
    await using emulator = await library.startEmulator({ clock: 'manual', ...options })
    fakeTime()
    const client = await emulator.createClient()
    await using inbox = await emulator.webhookInbox(client)
    const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
    await client.clock.advance('1h')
    expect(await inbox.next({ requestId, orderStatus: 'COMPLETED' })).toMatchObject({ signature: 'ok' })
    await expect(inbox.next({ requestId, orderStatus: 'FAILED' }, { timeoutMs: 20 })).rejects.toThrow('20 ms')
    const answer = await emulator.fetch(`${emulator.url}/_emulator/health`)
    expect(answer.status).toBe(200)
  })

  test('may be started then, too, and its real clock goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate'] })
    await using emulator = await library.startEmulator({ clock: '1000x', ...options })
    const client = await emulator.createClient()
    const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
    expect(await client.waitFor('order', { requestId, orderStatus: 'COMPLETED' })).toBeDefined()
  })
})

test('emulators of a test that fakes chance have seeds of their own', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  await using one = await library.startEmulator()
  await using other = await library.startEmulator()
  const seeds = await Promise.all([one, other].map(({ url }) => seedAt(url)))
  expect(new Set(seeds).size).toBe(2)
})

test('emulators of a process in which chance was faked before they came have seeds of their own', () => {
  const program = `
    Math.random = () => 0.5
    const { startEmulator } = await import(${JSON.stringify(resolve('dist/index.js'))})
    for (let at = 0; at < 2; at += 1) {
      const emulator = await startEmulator()
      const { seed } = await (await fetch(emulator.url + '/_emulator/status')).json()
      console.log(seed)
      await emulator[Symbol.asyncDispose]()
    }`
  const run = () =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  const runs = [run(), run()]
  expect(runs.map(({ stderr }) => stderr)).toEqual(['', ''])
  const seeds = runs.flatMap(({ stdout }) => stdout.trim().split('\n'))
  expect(seeds).toHaveLength(4)
  expect(new Set(seeds).size).toBe(4)
})

async function seedAt(url: string): Promise<string> {
  const { seed }: { seed: string } = JSON.parse(await (await fetch(`${url}/_emulator/status`)).text())
  return seed
}
