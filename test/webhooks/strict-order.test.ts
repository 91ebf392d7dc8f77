import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import type { ClientFields } from '../support/client.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { openPage } from '../support/page.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

const strict = { 'webhook.order': 'strict', 'webhook.on': ['CREATED'] }

async function given(fields: ClientFields = {}) {
  const receiver = await startReceiver()
  const settings = { ...strict, ...fields.settings }
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url, ...fields, settings })
  const statuses = async () =>
    Object.fromEntries((await c1.deliveries()).map((each) => [each.requestId, each.status]))
  return { emulator, c1, receiver, statuses }
}

const arrived = (requests: readonly Received[]) => requests.map(({ json }) => json.requestId)

describe('N71: webhooks in strict order', () => {
  test('wait for an older one of another order that is being retried', async () => {
    const { c1, receiver } = await given()
    receiver.answerWith({ status: 500 }, { status: 500 }, {})
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.createCheckout('r3')
    await c1.settle()
    expect(arrived(receiver.requests)).toEqual(['r1'])
    const ledger = await c1.advance('10s')
    expect(arrived(receiver.requests)).toEqual(['r1', 'r1', 'r1', 'r2', 'r3'])
    const [at] = ledger.deliveries.slice(-3).map((each) => each.at)
    expect(
      ledger.deliveries.slice(-3).map((each) => each.at),
      'at the moment of the retry',
    ).toEqual([at, at, at])
  })

  test('by default do not', async () => {
    const { c1, receiver } = await given({ settings: { 'webhook.order': 'per-order' } })
    receiver.answerWith({ status: 500 }, {})
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.settle()
    expect(arrived(receiver.requests)).toEqual(['r1', 'r2'])
  })

  test('go on once the older one is given up', async () => {
    const { c1, receiver, statuses } = await given({ settings: { 'webhook.retry.max': 1 } })
    receiver.answerWith({ status: 500 }, { status: 500 }, {})
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.advance('1s')
    expect(arrived(receiver.requests)).toEqual(['r1', 'r1', 'r2'])
    expect(await statuses()).toEqual({ r1: 'dead', r2: 'delivered' })
  })

  test('wait for one on hold; the clock does not wait for them', async () => {
    const { c1, emulator, receiver, statuses } = await given()
    const where = { requestId: 'r1' }
    await emulator.control('/deliveries/hold?clientId=C1', 'POST', { where })
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await emulator.control('/clock/run-until-idle?clientId=C1', 'POST', {})
    await c1.advance('1d')
    expect(receiver.requests).toEqual([])
    expect(await statuses()).toEqual({ r1: 'held', r2: 'pending' })
    await emulator.control('/deliveries/release?clientId=C1', 'POST', { where })
    expect(arrived(await receiver.received(2))).toEqual(['r1', 'r2'])
  })

  test('wait while the URL is paused, and then leave in their order', async () => {
    const { c1, receiver } = await given()
    receiver.answerWith({ status: 410 }, {})
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.advance('1h')
    expect(arrived(receiver.requests)).toEqual(['r1'])
    await c1.change({ webhookUrl: receiver.url })
    await c1.settle()
    expect(arrived(receiver.requests)).toEqual(['r1', 'r1', 'r2'])
  })

  test('do not wait for one that was skipped without a URL', async () => {
    const { c1, receiver, statuses } = await given({ webhookUrl: null })
    await c1.createCheckout('r1')
    await c1.settle()
    await c1.change({ webhookUrl: receiver.url })
    await c1.createCheckout('r2')
    await c1.settle()
    expect(await statuses()).toEqual({ r1: 'skipped', r2: 'delivered' })
  })

  test('that are due are all skipped when the URL is taken away in the middle of a retry', async () => {
    const { c1, receiver, statuses } = await given()
    receiver.answerWith({ status: 500 })
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.settle()
    await c1.change({ webhookUrl: null })
    await c1.settle()
    expect(await statuses()).toEqual({ r1: 'pending', r2: 'skipped' })
    await c1.advance('1s')
    expect(await statuses()).toEqual({ r1: 'skipped', r2: 'skipped' })
  })

  test('do not wait for one that a scenario sends late, before it is due', async () => {
    const receiver = await startReceiver()
    const { c1 } = await under('timeline: []\nwebhooks: { of: CREATED, delay: 40m }', {
      webhookUrl: receiver.url,
      settings: strict,
    })
    await c1.createCheckout('late')
    await c1.change({ defaultScenario: 'happy' })
    await c1.createCheckout('r2')
    await c1.advance('1h')
    expect(arrived(receiver.requests)).toEqual(['r2', 'late'])
  })

  test('wait for an attempt in flight, in several orders at once, and none is lost', async () => {
    const { c1, receiver } = await given({
      defaultScenario: 'happy-instant',
      settings: { 'webhook.on': 'all' },
    })
    const slow = Promise.withResolvers<void>()
    receiver.answerWith({ after: slow.promise }, {})
    const names = ['r1', 'r2', 'r3', 'r4']
    await Promise.all(names.map((name) => c1.createCheckout(name)))
    await receiver.received(1)
    expect(receiver.requests, 'one at a time').toHaveLength(1)
    slow.resolve()
    await c1.settle()
    expect(receiver.requests).toHaveLength(8)
    for (const name of names) {
      const its = receiver.requests.filter(({ json }) => json.requestId === name)
      expect(its.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
    }
  })

  test('wait for the same one after a restart', async () => {
    const database = join(aFolder(), 'emulator.db')
    const receiver = await startReceiver()
    receiver.answerWith({ status: 500 }, {})
    const first = await startTestEmulator({ database })
    const c1 = await first.addClient({ clientId: 'C1', webhookUrl: receiver.url, settings: strict })
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.settle()
    await first.close()
    const second = await startTestEmulator({ database })
    const advance = (by: string) => second.control('/clock/advance?clientId=C1', 'POST', { by })
    await advance('0s')
    expect(arrived(receiver.requests)).toEqual(['r1'])
    await advance('1s')
    expect(arrived(receiver.requests)).toEqual(['r1', 'r1', 'r2'])
  })

  test('say for which one they wait: in the control API and on the page', async () => {
    const { c1, emulator, receiver } = await given()
    receiver.answerWith({ status: 500 }, {})
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.settle()
    const [r1, r2] = await c1.deliveries()
    expect([r1?.waitsFor, r2?.waitsFor]).toEqual([undefined, r1?.id])
    expect((await emulator.control(`/deliveries/${r2?.id}`)).json).toMatchObject({ waitsFor: r1?.id })
    const { words } = await openPage(emulator, `/_emulator/ui/deliveries/${r2?.id}`)
    expect(words).toContain(`It waits for ${r1?.id}, which is older (strict order, setting webhook.order).`)
    await c1.advance('1s')
    expect((await c1.deliveries()).map((each: JsonObject) => each.waitsFor)).toEqual([undefined, undefined])
  })

  test('leave at once when the setting is changed back', async () => {
    const { c1, receiver } = await given()
    receiver.answerWith({ status: 500 }, {})
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.settle()
    await c1.change({ settings: { 'webhook.order': null } })
    await c1.settle()
    expect(arrived(receiver.requests)).toEqual(['r1', 'r2'])
  })

  test('of one client do not wait for those of another', async () => {
    const { c1, emulator, receiver } = await given()
    const c3 = await emulator.addClient({ webhookUrl: receiver.url, settings: strict })
    receiver.answerWith({ status: 500 }, {})
    await c1.createCheckout('r1')
    await c1.settle()
    await c3.createCheckout('other')
    await c3.settle()
    expect(arrived(receiver.requests)).toEqual(['r1', 'other'])
  })
})
