import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startForTest } from '../cli/running.ts'
import { emulatorAt } from '../support/emulator.ts'

test('no statement is prepared twice for a thousand calls of every kind', async () => {
  const { url } = await startForTest({ clock: 'manual', settings: { 'orders.autopay': 'always' } })
  const emulator = emulatorAt(url, async () => {})
  onTestFinished(() => emulator.close())
  const client = await emulator.addClient()
  // No server listens there: attempts fail and are retried.
  const webhookUrl = 'http://127.0.0.1:9/webhook'
  const statuses = new Map<number, number>()
  const call = async (answer: Promise<{ status: number }>) => {
    const { status } = await answer
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const life = async (n: number) => {
    const [checkout, subscription] = [`checkout-${n}`, `subscription-${n}`]
    await call(client.createCheckout(checkout))
    await call(client.createSubscription(subscription))
    await call(client.fiatOrders(checkout))
    await call(client.cryptoOrders(subscription))
    await call(client.refunds(checkout))
    await call(client.simulate(client.simulation(checkout)))
    await call(client.createCheckout(checkout))
    await call(client.fiatOrders('unknown'))
    await call(client.fiatOrders(subscription))
    // To find out what is wrong with a signature takes as long as twenty calls.
    if (n % 20 === 0) await call(client.createCheckout(checkout, { signed: 'something else' }))
  }
  await client.setWebhookUrl(webhookUrl)
  await life(0)
  await client.advance('1m')
  await emulator.control('/requests')
  const spies = (['prepare', 'exec', 'pragma'] as const).map((name) => vi.spyOn(Sqlite.prototype, name))
  await Promise.all(Array.from({ length: 100 }, (_, n) => life(n + 1)))
  const { transitions } = await client.advance('1m')
  // The last is of any emulator of this process that is idle for the first time.
  const rare = ['begin immediate', 'commit', 'rollback', 'pragma wal_checkpoint(passive)']
  const prepared = spies.map((spy) =>
    spy.mock.calls.map(([sql]) => sql).filter((sql) => !rare.includes(String(sql))),
  )
  for (const spy of spies) spy.mockRestore()
  expect(Object.fromEntries(statuses)).toEqual({ 200: 808, 401: 107 })
  expect(transitions.length).toBeGreaterThan(100)
  expect(prepared).toEqual([[], [], []])
})
