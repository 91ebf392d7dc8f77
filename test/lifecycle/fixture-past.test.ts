import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readScenarioFile } from '../../src/domain/scenario/compile-scenario.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'

const begin = Date.parse('2026-01-31T12:00:00Z')
const ages = [1_000, 3_000, 45_000, 3_600_000, 30 * 86_400_000, 100 * 86_400_000]

const scenarios = globSync('scenarios/*.yaml').map((file) => {
  const id = basename(file, '.yaml')
  const read = readScenarioFile(readFileSync(file, 'utf8'), file, id)
  if ('problems' in read) throw new Error(`${file} is wrong`)
  return { id, kinds: read.scenario.for ?? ['checkout', 'subscription'] }
})

/** The records of an order, without the choice of its scenario and the sent webhooks. */
async function recordsOf(emulator: TestEmulator): Promise<unknown[]> {
  const { items } = await emulator.control('/orders?clientId=shop')
  return items.map((order) => ({ ...order, scenario: undefined, deliveries: undefined }))
}

async function openShop(emulator: TestEmulator, now: number, orders: object[]): Promise<void> {
  const clock = { mode: 'manual', now }
  await emulator.control('/fixtures', 'POST', { clients: [{ clientId: 'shop', clock, orders }] })
}

/** Each scenario has a shop of its own on both, which goes again. */
const [live, brought] = [await startTestEmulator({}, afterAll), await startTestEmulator({}, afterAll)]

test.each(scenarios)(
  '$id: an order that a fixture brings has the past that it would have had',
  async ({ id, kinds }) => {
    const orders = kinds.map((kind) => ({ requestId: kind, kind, scenario: id }))
    await openShop(live, begin, [])
    for (const order of orders) await live.control('/orders?clientId=shop', 'POST', order)
    let passed = 0
    for (const age of ages) {
      await live.control('/clock/advance?clientId=shop', 'POST', { by: `${age - passed}ms` })
      passed = age
      const created = orders.map((order) => ({ ...order, created: begin }))
      await openShop(brought, begin + age, created)
      const records = await recordsOf(brought)
      expect(records.length).toBeGreaterThanOrEqual(kinds.length)
      expect(records).toEqual(await recordsOf(live))
      await brought.control('/clients/shop', 'DELETE')
    }
    await live.control('/clients/shop', 'DELETE')
  },
)
