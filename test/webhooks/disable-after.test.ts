import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ClientFields } from '../support/client.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { openPage } from '../support/page.ts'
import { startReceiver } from '../support/receiver.ts'

async function given(limit: number | 'never' | null, fields: ClientFields = {}) {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const settings = { 'webhook.on': ['CREATED'], 'webhook.disableAfter': limit, ...fields.settings }
  const { emulator, c1 } = await startFixture({
    ...{ webhookUrl: receiver.url },
    ...fields,
    settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
  })
  const client = async () => (await emulator.control('/clients/C1')).json
  return { emulator, c1, receiver, client }
}

describe('N72: an endpoint that keeps failing', () => {
  test('is paused after so many failed attempts in a row, across deliveries', async () => {
    const { c1, receiver, client } = await given(3)
    await c1.createCheckout('r1')
    await c1.advance('500ms')
    await c1.createCheckout('r2')
    await c1.settle()
    expect(await client()).toMatchObject({ failedInARow: 2 })
    await c1.advance('1h')
    expect(receiver.requests).toHaveLength(3)
    expect(await client()).toMatchObject({ webhookPaused: true, pausedAfter: 3, failedInARow: 3 })
  })

  test.each(['never', null] as const)('is never paused with %s', async (limit) => {
    const { c1, receiver, client } = await given(limit)
    await c1.createCheckout('r1')
    await c1.advance('10h')
    expect(receiver.requests).toHaveLength(11)
    expect(await client()).not.toHaveProperty('webhookPaused')
    expect(await client()).not.toHaveProperty('failedInARow')
  })

  test('starts again at zero after an accepted webhook', async () => {
    const { c1, receiver, client } = await given(3)
    const failure = { status: 500 }
    receiver.answerWith(failure, failure, {}, failure, failure, {})
    for (const name of ['r1', 'r2']) {
      await c1.createCheckout(name)
      await c1.advance('10m')
    }
    expect(receiver.requests).toHaveLength(6)
    expect(await client()).not.toHaveProperty('webhookPaused')
  })

  test('gets what waited once its URL is set again, even to the same, and is counted from zero', async () => {
    const { c1, receiver, client } = await given(2)
    await c1.createCheckout('r1')
    await c1.advance('1h')
    await c1.change({ webhookUrl: receiver.url })
    await c1.settle()
    expect(await client()).toMatchObject({ failedInARow: 1 })
    expect(await client()).not.toHaveProperty('pausedAfter')
    receiver.answerWith({})
    await c1.advance('1h')
    expect(receiver.requests).toHaveLength(4)
    expect((await c1.deliveries())[0]).toMatchObject({ status: 'delivered' })
  })

  test('is counted from zero also when the application sets its URL in time', async () => {
    const { c1, receiver, client } = await given(3)
    await c1.createCheckout('r1')
    await c1.createCheckout('r2')
    await c1.settle()
    await c1.setWebhookUrl(receiver.url)
    expect(await client()).not.toHaveProperty('failedInARow')
  })

  test('counts time-outs, broken connections and answers that a fault replaces', async () => {
    const { c1, emulator, receiver, client } = await given(3, { settings: { 'webhook.timeout': '20ms' } })
    receiver.answerWith('hang', 'reset', {})
    await c1.createCheckout('r1')
    await c1.advance('1s')
    expect(await client()).toMatchObject({ failedInARow: 2 })
    const fault = { clientId: 'C1', on: 'delivery', effect: { countAs: 500 } }
    await emulator.control('/faults', 'POST', fault)
    await c1.advance('2s')
    expect(await client()).toMatchObject({ webhookPaused: true, pausedAfter: 3 })
  })

  test('does not count what was never sent, or sent by hand', async () => {
    const { c1, emulator, client } = await given(1)
    await emulator.control('/faults', 'POST', { clientId: 'C1', on: 'delivery', effect: { drop: true } })
    await c1.createCheckout('r1')
    await c1.settle()
    await emulator.control('/deliveries', 'POST', { clientId: 'C1', body: 'x', copies: 3 })
    expect(await client()).not.toHaveProperty('webhookPaused')
  })

  test('does not count an attempt to the URL before', async () => {
    const { c1, receiver, client } = await given(1)
    const slow = Promise.withResolvers<void>()
    receiver.answerWith({ status: 500, after: slow.promise }, {})
    await c1.createCheckout('r1')
    await receiver.received(1)
    await c1.change({ webhookUrl: `${receiver.url}/new` })
    slow.resolve()
    await c1.settle()
    expect(await client()).not.toHaveProperty('webhookPaused')
  })

  test('is paused once, however many attempts fail at the same time', async () => {
    const { c1, receiver, client } = await given(2)
    const slow = Promise.withResolvers<void>()
    receiver.answerWith({ status: 500, after: slow.promise })
    for (const name of ['r1', 'r2', 'r3', 'r4']) await c1.createCheckout(name)
    await receiver.received(4)
    slow.resolve()
    await c1.advance('1h')
    expect(receiver.requests).toHaveLength(4)
    expect(await client()).toMatchObject({ pausedAfter: 2, failedInARow: 4 })
  })

  test('says 410 as the reason if that came first', async () => {
    const { c1, receiver, client } = await given(1)
    receiver.answerWith({ status: 410 })
    await c1.createCheckout('r1')
    await c1.settle()
    expect(await client()).toMatchObject({ webhookPaused: true })
    expect(await client()).not.toHaveProperty('pausedAfter')
  })

  test('is ended by a reset', async () => {
    const { c1, emulator, client } = await given(1)
    await c1.createCheckout('r1')
    await c1.settle()
    await emulator.control('/reset?clientId=C1', 'POST', {})
    for (const name of ['webhookPaused', 'pausedAfter', 'failedInARow'])
      expect(await client()).not.toHaveProperty(name)
  })

  test('is forgotten while nothing is counted', async () => {
    const { c1, client } = await given(3)
    await c1.createCheckout('r1')
    await c1.settle()
    await c1.change({ settings: { 'webhook.disableAfter': 'never' } })
    await c1.advance('1s')
    expect(await client()).not.toHaveProperty('failedInARow')
  })

  test('keeps its count and its pause over restarts', async () => {
    const database = join(aFolder(), 'emulator.db')
    const receiver = await startReceiver()
    receiver.answerWith({ status: 500 })
    const settings = { 'webhook.disableAfter': 2 }
    const first = await startTestEmulator({ database })
    const c1 = await first.addClient({ clientId: 'C1', webhookUrl: receiver.url, settings })
    await c1.createCheckout('r1')
    await c1.settle()
    await first.close()
    const second = await startTestEmulator({ database })
    await second.control('/clock/advance?clientId=C1', 'POST', { by: '1s' })
    expect((await second.control('/clients/C1')).json).toMatchObject({ pausedAfter: 2 })
    await second.close()
    const third = await startTestEmulator({ database })
    await third.control('/clock/advance?clientId=C1', 'POST', { by: '1h' })
    expect((await third.control('/clients/C1')).json).toMatchObject({ webhookPaused: true, pausedAfter: 2 })
    expect(receiver.requests).toHaveLength(2)
  })

  test('shows why on its pages', async () => {
    const { c1, emulator } = await given(2)
    await c1.createCheckout('r1')
    await c1.advance('1h')
    const [delivery] = await c1.deliveries()
    const wordsOf = async (path: string) => (await openPage(emulator, `/_emulator/ui${path}`)).words
    expect(await wordsOf(`/deliveries/${delivery?.id}`)).toContain('failed 2 times in a row')
    expect(await wordsOf('/deliveries')).toContain('Paused: the endpoint of C1 failed 2 times in a row')
    expect(await wordsOf('/clients/C1')).toContain('The endpoint has failed 2 times in a row')
  })

  test.each([0, -1, 1.5, 'always', '3'])('is no use of the limit %j', async (limit) => {
    const { emulator } = await given('never')
    const { status, json } = await emulator.send('/_emulator/clients/C1', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: { settings: { 'webhook.disableAfter': limit } },
    })
    expect([status, Object(json.error).message]).toEqual([
      400,
      expect.stringContaining('webhook.disableAfter'),
    ])
  })
})
