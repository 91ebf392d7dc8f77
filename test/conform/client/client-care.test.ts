import { expect, test } from 'vitest'
import { applicationOf } from '../../../src/conform/application/http-application.ts'
import { Conformance } from '../../../src/conform/index.ts'
import { takeOver } from '../../../src/conform/run/client-takeover.ts'
import { startEmulator, type TestClient } from '../../../src/index.ts'
import { ModelShop, shops } from '../support/model-shop.ts'

const quick = { beatMs: 5, deadMs: 60 }
const app = applicationOf({}, 'http://of-the-run.test/webhooks')

async function stateOf(client: TestClient) {
  const { webhookUrl, settings, clock } = await client.read()
  const scenarios = (await client.scenarios.list()).filter(({ id }) => id.startsWith('conform-'))
  const faults = (await client.faults.list()).map(({ id }) => id)
  return { webhookUrl, settings, mode: clock.mode, scenarios, faults }
}

/** The state that a killed run leaves: everything as during the run, without updates of its mark. */
async function killedRun(client: TestClient) {
  const inCare = await takeOver(client, app, 'dead', quick)
  const [mark] = (await client.scenarios.list()).filter(({ id }) => id.startsWith('conform-holds-'))
  const { id, text } = await client.scenarios.get(mark?.id ?? '')
  const during = await client.read()
  await inCare.restore()
  await client.scenarios.put(id, text)
  await client.change({ webhookUrl: during.webhookUrl, settings: during.settings })
  await client.clock.set({ mode: 'manual' })
  await client.faults.plan({ on: 'orders', effect: { status: 401 }, for: '2m' })
  const script = {
    id: 'conform-k31-dead7',
    description: 'Of a case',
    timeline: [{ at: '1s', order: 'COMPLETED' }],
  }
  await client.scenarios.put(script.id, script)
}

test('the next run puts back what a killed one has left', async () => {
  await using emulator = await startEmulator({ listen: false })
  const client = await emulator.createClient({ webhookUrl: 'http://before.test/webhooks' })
  const own = await client.faults.plan({ on: 'create-order', effect: { status: 500 }, times: 1 })
  const before = await stateOf(client)
  await killedRun(client)
  expect(await stateOf(client)).not.toEqual(before)
  const { restore } = await takeOver(client, app, 'next', quick)
  await restore()
  expect(await stateOf(client)).toEqual(before)
  expect(before.faults).toEqual([own.id])
})

test('a run that goes on keeps its client, however long another waits for it', async () => {
  await using emulator = await startEmulator({ listen: false })
  const client = await emulator.createClient()
  const first = await takeOver(client, app, 'first', quick)
  const during = await stateOf(client)
  await expect(takeOver(client, app, 'second', quick)).rejects.toThrow(
    /another run of `conform` or `explore` has used .* since 20/,
  )
  expect(await stateOf(client)).toMatchObject({ webhookUrl: during.webhookUrl, mode: 'manual' })
  await first.restore()
  await (await takeOver(client, app, 'third', quick)).restore()
})

test('of two runs that begin at the same moment, one gets the client', async () => {
  await using emulator = await startEmulator({ listen: false })
  const client = await emulator.createClient({ webhookUrl: 'http://before.test/webhooks' })
  const before = await stateOf(client)
  const both = await Promise.allSettled(['one', 'two'].map((run) => takeOver(client, app, run, quick)))
  const taken = both.filter((each) => each.status === 'fulfilled')
  expect(taken).toHaveLength(1)
  expect(both.find((each) => each.status === 'rejected')?.reason).toMatchObject({
    message: expect.stringContaining('another run of `conform` or `explore` has used'),
  })
  for (const { value } of taken) await value.restore()
  expect(await stateOf(client)).toEqual(before)
})

test('a second run judges nothing, and the first is none the wiser', async () => {
  const world = await shops()
  const shop = await world.open(ModelShop)
  const before = await stateOf(shop.client)
  const second = new Conformance(world.emulator, shop.config, { only: ['K01'] })
  const first = new Conformance(world.emulator, shop.config, { only: ['K01'] })
  expect(await first.runCase('K01')).toMatchObject({ verdict: 'PASS' })
  const report = await second.run()
  await first.close()
  expect(report).toMatchObject({ ok: false, cases: [], problems: [{ member: 'client' }] })
  expect(await stateOf(shop.client)).toEqual(before)
})
