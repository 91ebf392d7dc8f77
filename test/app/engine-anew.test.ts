import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { memoryStore } from '../store/memory/store.ts'
import { TestClient } from '../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { wired } from '../support/wired-store.ts'

const credentials = {
  clientId: 'C1',
  apiSecret: 'secret of C1',
  accessToken: 'token-of-C1',
  webhookSecret: 'whsec_c2VjcmV0',
}

/** Something of everything that an emulator remembers of its store. */
async function remember(emulator: TestEmulator, webhookUrl: string): Promise<string> {
  await emulator.send('/_emulator/scenarios/mine', {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body: 'id: mine\ndescription: A test\ntimeline:\n  - { at: 0s, order: COMPLETED }\n',
  })
  await emulator.addClient({ ...credentials, webhookUrl, defaultScenario: 'mine' })
  await emulator.control('/settings', 'PATCH', { 'orders.expiry': '7m' })
  await emulator.control('/faults', 'POST', { on: 'orders', effect: { status: 503 }, times: 3 })
  const client = new TestClient(emulator, credentials)
  expect((await client.fiatOrders('none')).status).toBe(503)
  return client.issueToken()
}

async function remembered(emulator: TestEmulator, token: string): Promise<unknown> {
  const client = new TestClient(emulator, { ...credentials, accessToken: token })
  return {
    settings: (await emulator.control('/settings')).json.settings,
    scenario: (await emulator.control('/scenarios/mine')).json.from,
    faults: (await emulator.control('/faults')).items,
    defaultScenario: (await emulator.control('/clients/C1')).json.defaultScenario,
    seed: (await emulator.control('/about')).json.seed,
    token: (await client.refunds('none')).status,
  }
}

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ['in memory', async () => memoryStore()],
  ['in SQLite', () => openSqliteStore({ file: ':memory:', durable: false })],
]

test.each(stores)(
  'engines come and go over one store %s, under load, and nothing is lost',
  async (_, open) => {
    const store = await open()
    onTestFinished(() => store.close())
    const receiver = await startReceiver()
    const start = (seed: string) => startTestEmulator({ seed }, onTestFinished, { store: wired(store) })
    let emulator = await start('first')
    const token = await remember(emulator, receiver.url)
    const expected = await remembered(emulator, token)

    const acknowledged: string[] = []
    let isOver = false
    let begun = 0
    const caller = async () => {
      while (!isOver) {
        const requestId = `r${begun++}`
        // Between two engines there is no answer.
        const answer = await new TestClient(emulator, credentials).createCheckout(requestId).catch(() => null)
        if (answer?.status === 200) acknowledged.push(requestId)
        else await new Promise(setImmediate)
      }
    }
    const callers = Array.from({ length: 6 }, caller)
    for (const seed of ['second', 'third', 'fourth']) {
      const { length } = acknowledged
      await expect.poll(() => acknowledged.length).toBeGreaterThan(length + 20)
      await emulator.close()
      emulator = await start(seed)
    }
    const { length } = acknowledged
    await expect.poll(() => acknowledged.length).toBeGreaterThan(length + 20)
    isOver = true
    await Promise.all(callers)
    await new TestClient(emulator, credentials).settle()

    expect(await remembered(emulator, token)).toEqual(expected)
    const orders = (await emulator.control('/orders?clientId=C1&limit=1000')).items
    const statusOf = new Map(orders.map(({ requestId, orderStatus }) => [requestId, orderStatus]))
    expect(acknowledged.filter((requestId) => statusOf.get(requestId) !== 'COMPLETED')).toEqual([])
    const deliveries = (await emulator.control('/deliveries?clientId=C1&limit=1000')).items
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([])
    expect(deliveries).toHaveLength(2 * orders.length)
    for (const requestId of acknowledged) {
      const told = receiver.requests.filter(({ json }) => json.requestId === requestId)
      expect([...new Set(told.map(({ json }) => json.orderStatus))]).toEqual(['CREATED', 'COMPLETED'])
    }
  },
)
