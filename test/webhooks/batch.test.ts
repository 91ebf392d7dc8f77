import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ClientFields } from '../support/client.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { openPage } from '../support/page.ts'
import { type Behaviour, type Received, startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

const batch = { max: 3, within: '2s' }

async function given(fields: ClientFields = {}, ...answers: Behaviour[]) {
  const receiver = await startReceiver()
  const [first = {}, ...others] = answers
  receiver.answerWith(first, ...others)
  const settings = { 'webhook.batch': batch, 'webhook.on': ['CREATED'], ...fields.settings }
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url, ...fields, settings })
  const create = async (...requestIds: string[]) => {
    for (const requestId of requestIds) await c1.createCheckout(requestId)
    await c1.settle()
  }
  return { emulator, c1, receiver, create }
}

/** The events of a webhook that is a list: whose they are. */
const listed = ({ text }: Received): string[] =>
  JSON.parse(text).map(({ requestId }: { requestId: string }) => requestId)

const bodies = (requests: readonly Received[]) => requests.map(listed)

describe('N82: events of a client go out together', () => {
  test('as soon as there are enough', async () => {
    const { receiver, create } = await given()
    await create('r1', 'r2')
    expect(receiver.requests).toEqual([])
    await create('r3', 'r4')
    expect(bodies(receiver.requests)).toEqual([['r1', 'r2', 'r3']])
  })

  test('when the first has waited long enough', async () => {
    const { c1, receiver, create } = await given()
    await create('r1')
    await c1.advance('1s')
    await create('r2')
    await c1.advance('999ms')
    expect(receiver.requests).toEqual([])
    await c1.advance('1ms')
    expect(bodies(receiver.requests)).toEqual([['r1', 'r2']])
    expect(await c1.deliveries()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
  })

  test('on a running clock too', async () => {
    const { receiver, create } = await given({
      settings: { 'webhook.batch': { max: 5, within: '50ms' } },
      clock: { mode: 'real', speed: 1 },
    })
    await create('r1')
    const [webhook] = await receiver.received(1)
    expect(webhook && listed(webhook)).toEqual(['r1'])
  })

  test('and those of other clients go elsewhere', async () => {
    const { emulator, c1, receiver, create } = await given()
    const c2 = await emulator.addClient({
      clientId: 'C3',
      webhookUrl: receiver.url,
      clock: { mode: 'manual' },
    })
    await create('r1')
    await c2.createCheckout('r2')
    await c2.settle()
    await c1.advance('2s')
    expect(receiver.requests.map(({ text }) => JSON.parse(text))).toMatchObject([
      { requestId: 'r2' },
      [{ requestId: 'r1' }],
    ])
  })

  test('those of one order in their order, in one webhook and in the next', async () => {
    const { c1, receiver } = await given({
      settings: {
        'webhook.on': 'all',
        'webhook.refunds': 'event',
        'webhook.batch': { max: 2, within: '3s' },
      },
      defaultScenario: 'refund-initiated',
    })
    await c1.createCheckout('r1')
    await c1.advance('1d')
    const statuses = receiver.requests.flatMap(({ text }) =>
      JSON.parse(text).map(({ orderStatus }: { orderStatus: string }) => orderStatus),
    )
    expect(statuses.length).toBeGreaterThan(2)
    expect(statuses).toEqual((await c1.deliveries()).map(({ orderStatus }) => orderStatus))
  })

  test('the id is that of the first event, and the signature is over the whole body', async () => {
    const { c1, receiver, create } = await given()
    await create('r1', 'r2', 'r3')
    const [webhook] = receiver.requests
    const headers = webhook?.headers ?? {}
    const deliveries = await c1.deliveries()
    expect(headers['webhook-id']).toBe(deliveries[0]?.webhookId)
    const key = Buffer.from(c1.webhookSecret.replace('whsec_', ''), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${webhook?.text}`
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    expect(deliveries.map(({ batch }) => Object(batch).id)).toEqual(deliveries.map(() => deliveries[0]?.id))
  })

  test('in a body of the settings, which stays the same in every attempt', async () => {
    const template = {
      batch: { id: '${webhookId}', sent: '${sentTime:seconds}', size: '${count}' },
      events: '${events}',
    }
    const settings = {
      'webhook.batch': { max: 2, within: '2s', template },
      'webhook.format': 'template',
      'webhook.template': [{ of: '${requestId}', try: '${attempt}' }],
    }
    const { c1, receiver, create } = await given({ settings }, { status: 500 }, {})
    const t0 = await c1.now()
    await create('r1', 'r2')
    await c1.advance('1s')
    const [{ webhookId } = {}] = await c1.deliveries()
    expect(receiver.requests.map(({ json }) => json)).toEqual(
      [1, 2].map((attempt) => ({
        batch: { id: webhookId, sent: Math.floor(t0 / 1_000), size: 2 },
        events: [
          { of: 'r1', try: attempt },
          { of: 'r2', try: attempt },
        ],
      })),
    )
  })
})

test('a delivery shows its event, and with each attempt the whole webhook; its page too', async () => {
  const { emulator, c1, receiver, create } = await given({
    settings: { 'webhook.batch': { max: 2, within: '9m' } },
  })
  await create('r1', 'r2', 'r3')
  const [first, second, waiting] = await c1.deliveries()
  const whole = receiver.requests[0]?.text
  expect(second).toMatchObject({
    body: { requestId: 'r2' },
    batch: { id: first?.id },
    attempts: [{ bodyText: whole }],
  })
  expect(waiting).not.toHaveProperty('batch')
  const page = await openPage(emulator, `/_emulator/ui/deliveries/${second?.id}?attempt=1`)
  expect(page.words).toContain(`with ${first?.id} as its first event`)
  expect(page.words).toContain('The body that was actually sent')
  const coming = await openPage(emulator, `/_emulator/ui/deliveries/${waiting?.id}`)
  expect(coming.words).toContain('It waits for others')
})

describe('a webhook of several events that fails', () => {
  test('comes again whole, with its id; later events go out in others meanwhile', async () => {
    const { c1, receiver, create } = await given({}, { status: 500 }, {})
    await create('r1', 'r2', 'r3', 'r4')
    await c1.advance('2s')
    expect(bodies(receiver.requests)).toEqual([['r1', 'r2', 'r3'], ['r1', 'r2', 'r3'], ['r4']])
    const [first, again] = receiver.requests
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    const twice = { attempts: [{ outcome: 'refused' }, { outcome: 'accepted' }] }
    expect(await c1.deliveries()).toMatchObject([
      twice,
      twice,
      twice,
      { attempts: [{ outcome: 'accepted' }] },
    ])
  })

  test('is given up as a whole, and counts as one failure', async () => {
    const settings = { 'webhook.retry.max': 1, 'webhook.disableAfter': 3 }
    const { emulator, c1, create } = await given({ settings }, { status: 500 })
    await create('r1', 'r2', 'r3')
    await c1.advance('1h')
    expect((await c1.deliveries()).map(({ status }) => status)).toEqual(['dead', 'dead', 'dead'])
    const client = await emulator.control('/clients/C1')
    expect(client.json).toMatchObject({ failedInARow: 2 })
  })

  test('waits for its turn in strict order, and nothing younger overtakes it', async () => {
    const settings = { 'webhook.order': 'strict' }
    const { c1, receiver, create } = await given({ settings }, { status: 500 }, {})
    await create('r1', 'r2', 'r3', 'r4', 'r5', 'r6')
    expect(bodies(receiver.requests)).toEqual([['r1', 'r2', 'r3']])
    await c1.advance('1s')
    expect(bodies(receiver.requests).slice(1)).toEqual([
      ['r1', 'r2', 'r3'],
      ['r4', 'r5', 'r6'],
    ])
  })

  test('is sent again by hand as a whole', async () => {
    const { emulator, c1, receiver, create } = await given()
    await create('r1', 'r2', 'r3')
    const [, second] = await c1.deliveries()
    await emulator.control(`/deliveries/${second?.id}/resend`, 'POST', {})
    expect(bodies(await receiver.received(2))[1]).toEqual(['r1', 'r2', 'r3'])
  })

  test('comes again as it was after the setting is gone', async () => {
    const { emulator, c1, receiver, create } = await given({}, { status: 500 }, {})
    await create('r1', 'r2', 'r3')
    await emulator.control('/settings?clientId=C1', 'PATCH', { 'webhook.batch': null })
    await c1.advance('1s')
    expect(receiver.requests.map(({ text }) => text)).toEqual(Array(2).fill(receiver.requests[0]?.text))
  })
})

describe('what holds one event holds', () => {
  test('that event, before it goes out', async () => {
    const { emulator, c1, receiver, create } = await given()
    const where = { requestId: 'r2' }
    await emulator.control('/deliveries/hold?clientId=C1', 'POST', { where })
    await create('r1', 'r2', 'r3', 'r4')
    expect(bodies(receiver.requests)).toEqual([['r1', 'r3', 'r4']])
    await emulator.control('/deliveries/release?clientId=C1', 'POST', { where })
    await c1.advance('2s')
    expect(bodies(receiver.requests).slice(1)).toEqual([['r2']])
  })

  test('all of its webhook, after it went out', async () => {
    const { emulator, c1, receiver, create } = await given({}, { status: 500 }, {})
    await create('r1', 'r2', 'r3')
    const where = { requestId: 'r2' }
    await emulator.control('/deliveries/hold?clientId=C1', 'POST', { where })
    await c1.advance('1h')
    expect((await c1.deliveries()).map(({ status }) => status)).toEqual(['held', 'held', 'held'])
    await emulator.control('/deliveries/release?clientId=C1', 'POST', { where })
    expect(bodies(await receiver.received(2))).toEqual(Array(2).fill(['r1', 'r2', 'r3']))
  })
})

test('a fault that delays one event delays its webhook, and one that answers for it answers for all', async () => {
  const { emulator, c1, receiver, create } = await given()
  const fault = (requestId: string, effect: object) =>
    emulator.control('/faults', 'POST', {
      clientId: 'C1',
      on: 'delivery',
      where: { requestId },
      effect,
      times: 1,
    })
  await fault('r2', { delay: '10s' })
  await create('r1', 'r2', 'r3')
  expect(receiver.requests).toEqual([])
  await c1.advance('10s')
  expect(bodies(receiver.requests)).toEqual([['r1', 'r2', 'r3']])
  await fault('r5', { countAs: 503 })
  await create('r4', 'r5', 'r6')
  expect((await c1.deliveries()).slice(3)).toMatchObject(Array(3).fill({ attempts: [{ status: 503 }] }))
})

/** Orders whose webhook waits for others, and between them one by a scenario of its own. */
async function besideOne(lines: string) {
  const receiver = await startReceiver()
  const settings = { 'webhook.batch': { max: 9, within: '1m' }, 'webhook.on': ['CREATED'] }
  const { emulator, c1 } = await under(lines, {
    webhookUrl: receiver.url,
    settings,
    defaultScenario: 'never-pays',
  })
  await c1.createCheckout('r1')
  await emulator.control('/scenarios/next', 'POST', { clientId: 'C1', requestId: 'r2', scenario: 'mine' })
  await c1.createCheckout('r2')
  await c1.createCheckout('r3')
  await c1.settle()
  return { c1, receiver, texts: () => receiver.requests.map(({ text }) => text) }
}

test('a body that is no JSON goes alone, as it is, and before it goes what waits', async () => {
  const { c1, receiver, texts } = await besideOne('webhooks: [{ of: CREATED, body: not JSON }]\ntimeline: []')
  expect(texts()[1]).toBe('not JSON')
  await c1.advance('1m')
  const [first, , last] = receiver.requests
  expect([first, last].map((each) => each && listed(each))).toEqual([['r1'], ['r3']])
})

test('events of a scenario with settings of its own go with their like', async () => {
  const { c1, receiver } = await besideOne('settings: { webhook.accept: 200 }\ntimeline: []')
  expect(bodies(receiver.requests)).toEqual([['r1'], ['r2']])
  await c1.advance('1m')
  expect(bodies(receiver.requests)).toEqual([['r1'], ['r2'], ['r3']])
})

test('without a URL each event is skipped, and nothing waits', async () => {
  const { c1, create } = await given({ webhookUrl: null })
  await create('r1', 'r2')
  expect((await c1.deliveries()).map(({ status }) => status)).toEqual(['skipped', 'skipped'])
})

test('what waits or is to come again survives a restart', async () => {
  const database = join(aFolder(), 'world.db')
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 }, {})
  const first = await startTestEmulator({ database })
  const settings = { 'webhook.batch': batch, 'webhook.on': ['CREATED'] }
  const c1 = await first.addClient({
    clientId: 'C1',
    webhookUrl: receiver.url,
    settings,
    clock: { mode: 'manual' },
  })
  for (const requestId of ['r1', 'r2', 'r3', 'r4']) await c1.createCheckout(requestId)
  await c1.settle()
  await first.close()
  const again = await startTestEmulator({ database })
  await again.control('/clock/advance?clientId=C1', 'POST', { by: '2s' })
  expect(bodies(receiver.requests)).toEqual([['r1', 'r2', 'r3'], ['r1', 'r2', 'r3'], ['r4']])
})

test('a webhook sent by hand is one of one event', async () => {
  const { emulator, receiver } = await given()
  const event = { requestId: 'r1', orderId: 'o1', orderStatus: 'COMPLETED', orderType: 'CHECKOUT' }
  await emulator.control('/deliveries', 'POST', { clientId: 'C1', event })
  expect(bodies(receiver.requests)).toEqual([['r1']])
})

describe('a setting with which no webhook could go out is refused', () => {
  test.each([
    ['a maximum of none', { max: 0, within: '1s' }, /max/],
    ['more than the store looks at', { max: 101, within: '1s' }, /max/],
    ['no time', { max: 3 }, /within/],
    ['a time that is too long', { max: 3, within: '2h' }, /within.*at most 1h/],
    ['no place for the events', { max: 3, within: '1s', template: { a: 1 } }, /template.*events\}.* once/],
    ['two places', { max: 3, within: '1s', template: ['${events}', '${events}'] }, /once/],
    ['the events within a text', { max: 3, within: '1s', template: { a: 'x ${events}' } }, /once/],
    ['an unknown value', { max: 3, within: '1s', template: { a: '${evnts}', b: '${events}' } }, /evnts/],
  ])('%s', async (_, wrong, words) => {
    const { emulator } = await given()
    const change = emulator.control('/settings?clientId=C1', 'PATCH', { 'webhook.batch': wrong })
    await expect(change).rejects.toThrow(words)
  })
})
