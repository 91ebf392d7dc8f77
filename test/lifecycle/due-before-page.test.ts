import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { configSchema } from '../../src/app/config.ts'
import { createEngine } from '../../src/app/engine.ts'
import { scenariosFolder } from '../../src/app/package.ts'
import { AddedScenarios } from '../../src/lifecycle/scenarios/added-files.ts'
import { BuiltInScenarios } from '../../src/lifecycle/scenarios/built-in.ts'
import { ScenarioCatalog } from '../../src/lifecycle/scenarios/catalog.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'

afterEach(() => vi.useRealTimers())

/** An emulator that starts some time after an order was created and the former one stopped, and has not yet carried
 *  out anything that became due. */
async function restarted({ afterMs }: { afterMs: number }) {
  const database = join(aFolder(), 'restarted.db')
  const { orderId, createdAt } = await orderedIn(database)
  vi.useFakeTimers({ toFake: ['Date'], now: createdAt + afterMs })
  const config = configSchema.parse({ database, clock: 'real' })
  const store = await openSqliteStore({ file: database, durable: false })
  onTestFinished(() => store.close())
  const addedScenarios = new AddedScenarios([])
  const scenarioFiles = new ScenarioCatalog(addedScenarios, new BuiltInScenarios(scenariosFolder))
  const onError = (error: unknown) => {
    throw error
  }
  const begun = { store, scenarioFiles, addedScenarios, fixtureFiles: [] }
  const engine = await createEngine(config, begun, { onSettings: () => {}, secrets: [], onError })
  /** Since its creation, but for the statuses. */
  const whatHappened = async () =>
    (await store.pastsOf([orderId]))
      .get(orderId)
      ?.history.flatMap(({ what, to }) => (to === undefined ? what : []))
  return { lifecycle: engine.lifecycle, orderId, whatHappened }
}

/** An order of an emulator that has been stopped. */
async function orderedIn(database: string): Promise<{ orderId: string; createdAt: number }> {
  await using emulator = await startTestEmulator({ database, clock: 'real', startTime: undefined })
  const { clientId } = await emulator.addClient()
  const { json } = await emulator.control('/orders', 'POST', { clientId, kind: 'checkout' })
  return { orderId: String(json.orderId), createdAt: Number(json.createdAt) }
}

test('whoever opens the page of an order that is due to be paid finds it paid, and keeps nothing from happening', async () => {
  const { lifecycle, orderId, whatHappened } = await restarted({ afterMs: 3_470 })
  const order = await lifecycle.openPage(orderId)
  expect(order.paidAt).not.toBeNull()
  expect(order.waitsForPayer).toBe(false)
  expect(await whatHappened()).toEqual(['paid'])
})

test('whoever leaves the page of such an order comes too late', async () => {
  const { lifecycle, orderId, whatHappened } = await restarted({ afterMs: 3_470 })
  await lifecycle.payOnPage(orderId, { outcome: 'abandoned' })
  expect(await whatHappened()).toEqual(['paid'])
})

test('whoever opens it before that is waited for', async () => {
  const { lifecycle, orderId, whatHappened } = await restarted({ afterMs: 1_000 })
  await lifecycle.openPage(orderId)
  expect(await whatHappened()).toEqual(['payment page opened'])
})
