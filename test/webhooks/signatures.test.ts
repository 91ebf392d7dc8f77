import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { planWords } from '../../src/domain/explain/rule-words.ts'
import { readScenarioFile } from '../../src/domain/scenario/compile-scenario.ts'
import { faultSentences } from '../../src/domain/webhook/faults/faults.ts'
import type { ClientFields } from '../support/client.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

/** A client with a URL, and ways to send it webhooks by hand. */
async function given(fields: ClientFields = {}) {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url, ...fields })
  const send = async (delivery: object) => {
    await emulator.control('/deliveries', 'POST', { clientId: 'C1', event: aboutR1, ...delivery })
    const last = receiver.requests.at(-1)
    if (last === undefined) throw new Error('no webhook came')
    return last
  }
  return { emulator, c1, receiver, send }
}

const aboutR1 = { requestId: 'r1', orderId: 'o1', orderStatus: 'COMPLETED', orderType: 'CHECKOUT' }

const signaturesOf = ({ headers }: Received) => String(headers['webhook-signature']).split(' ')

/** The signature that a secret gives a webhook; computed here, so that the emulator can't prove itself right. */
function madeWith(secret: string, { headers, text }: Received): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  return createHmac('sha256', key).update(content).digest('base64')
}

async function refusal(emulator: TestEmulator, delivery: object) {
  const { status, json } = await emulator.send('/_emulator/deliveries', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { clientId: 'C1', event: aboutR1, ...delivery },
  })
  return { status, ...Object(json.error) }
}

describe('a webhook sent by hand', () => {
  test('carries its signatures in the order of the list, and the valid one may come last', async () => {
    const { c1, send } = await given()
    const webhook = await send({ signatures: ['foreign', 'current'] })
    const [foreign, current, ...more] = signaturesOf(webhook)
    expect(current).toBe(`v1,${madeWith(c1.webhookSecret, webhook)}`)
    expect(foreign).toMatch(/^v1,[\w+/]{43}=$/)
    expect(foreign).not.toBe(current)
    expect(more).toEqual([])
    expect(c1.verifyWebhook(webhook)).toMatchObject({ requestId: 'r1' })
  })

  test('may have a version that no receiver knows, which the stock verifier skips', async () => {
    const { c1, send } = await given()
    const webhook = await send({ signatures: ['foreign', 'current'], signatureVersions: ['v9', 'v1'] })
    expect(signaturesOf(webhook).map((each) => each.split(',')[0])).toEqual(['v9', 'v1'])
    expect(c1.verifyWebhook(webhook)).toMatchObject({ requestId: 'r1' })
  })

  test.each([
    [{ signatures: ['foreign'] }],
    [{ signatures: ['current'], signatureVersions: ['v9'] }],
    [{ signatures: ['current', 'foreign'], signatureVersions: ['v2', 'v1'] }],
  ])('with %j the stock verifier refuses', async (delivery) => {
    const { c1, send } = await given()
    const webhook = await send(delivery)
    expect(() => c1.verifyWebhook(webhook)).toThrow(/No matching signature/)
  })

  test('can be old as well: the time is a fault of its own', async () => {
    const { c1, send } = await given()
    const webhook = await send({ signatures: ['foreign', 'current'], timestamp: '-10m' })
    expect(() => c1.verifyWebhook(webhook)).toThrow(/too old/)
  })

  test.each([
    [{ signatures: [] }, /signatures.*at least 1/],
    [{ signatures: ['currant'] }, /signatures.*did you mean `current`/],
    [{ signatures: 'current' }, /signatures/],
    [{ signatureVersions: ['v1'] }, /signatureVersions: needs `signatures`/],
    [
      { signatures: ['current', 'foreign'], signatureVersions: ['v1'] },
      /signatureVersions: has 1 versions for 2 signatures/,
    ],
    [{ signatures: ['current'], signatureVersions: ['1'] }, /signatureVersions.*must be `v1`/],
    [{ signatures: ['current'], signatureVersions: ['v1,x'] }, /signatureVersions.*must be `v1`/],
    [{ signatures: ['current'], sign: 'wrong' }, /sign: `signatures` already says/],
    [{ signatures: ['current'], sign: false }, /sign: `signatures` already says/],
  ])('with %j is refused with 400, and nothing is sent', async (delivery, words) => {
    const { emulator, receiver } = await given()
    expect(await refusal(emulator, delivery)).toMatchObject({
      status: 400,
      message: expect.stringMatching(words),
    })
    expect(receiver.requests).toEqual([])
  })

  test('with the previous secret is refused for a client that has none', async () => {
    const { emulator, receiver } = await given()
    const refused = await refusal(emulator, { signatures: ['current', 'previous'] })
    expect(refused).toMatchObject({ status: 409, code: 'no_previous_secret' })
    expect(receiver.requests).toEqual([])
  })

  test.each(['hmac-body', 'none'])('with webhook.auth: %s has no list of signatures', async (auth) => {
    const { emulator } = await given({ settings: { 'webhook.auth': auth } })
    const refused = await refusal(emulator, { signatures: ['current'] })
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(`C1 has ${auth}`) })
  })
})

describe('a rule of a scenario', () => {
  const completes = 'timeline: [{ at: 5s, order: COMPLETED }]'

  /** The COMPLETED webhook of an order under a rule. */
  async function completedUnder(rule: string, fields: ClientFields = {}) {
    const receiver = await startReceiver()
    const settings = { 'webhook.on': ['COMPLETED'], ...fields.settings }
    const file = `${completes}\nwebhooks: ${rule}`
    const { emulator, c1 } = await under(file, { webhookUrl: receiver.url, ...fields, settings })
    await c1.createCheckout('r1')
    await c1.advance('5s')
    const [webhook] = receiver.requests
    if (webhook === undefined) throw new Error('no webhook came')
    return { emulator, c1, receiver, webhook }
  }

  test('lists the signatures of each webhook, and the delivery says so', async () => {
    const rule = '{ signatures: [foreign, current], signatureVersions: [v9, v1] }'
    const { c1, webhook } = await completedUnder(rule)
    expect(signaturesOf(webhook)[1]).toBe(`v1,${madeWith(c1.webhookSecret, webhook)}`)
    expect(await c1.deliveries()).toMatchObject([
      { plan: { faults: [{ signatures: ['foreign', 'current'], signatureVersions: ['v9', 'v1'] }] } },
    ])
  })

  test('about a previous secret that never was signs with one that the client never had', async () => {
    const { c1, webhook } = await completedUnder('{ signatures: [previous, foreign] }')
    const [previous, foreign] = signaturesOf(webhook)
    expect(previous).not.toBe(foreign)
    expect(() => c1.verifyWebhook(webhook)).toThrow(/No matching signature/)
  })

  test('gives way to a planned fault of one attempt, whose retry is signed by the rule again', async () => {
    const receiver = await startReceiver()
    const file = `${completes}\nwebhooks: { signatures: [foreign, current] }`
    const { emulator, c1 } = await under(file, {
      webhookUrl: receiver.url,
      settings: { 'webhook.on': ['COMPLETED'] },
    })
    const effect = { signatures: ['foreign'], countAs: 401 }
    await emulator.control('/faults', 'POST', { clientId: c1.clientId, on: 'delivery', effect })
    await c1.createCheckout('r1')
    await c1.advance('10s')
    expect(receiver.requests.map((webhook) => signaturesOf(webhook).length)).toEqual([1, 2])
    expect(() => c1.verifyWebhook(receiver.requests[0])).toThrow(/No matching signature/)
    expect(c1.verifyWebhook(receiver.requests[1])).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('has no effect with hmac-body, which has one signature', async () => {
    const settings = { 'webhook.auth': 'hmac-body' }
    const { c1, webhook } = await completedUnder('{ signatures: [foreign] }', { settings })
    expect(webhook.headers.signature).toBe(c1.sign(webhook.text))
    expect(webhook.headers).not.toHaveProperty('webhook-signature')
  })

  test.each([
    ['webhooks: { signatures: [] }', 4, /at least 1/],
    ['webhooks: { signatures: [foriegn] }', 4, /did you mean `foreign`/],
    [
      'webhooks:\n  signatures: [current]\n  signatureVersions: [v1, v9]',
      6,
      /has 2 versions for 1 signatures/,
    ],
    ['webhooks:\n  signatures: [current]\n  signatureVersions: [one]', 6, /must be `v1`/],
    ['webhooks:\n  signatureVersions: [v1]', 5, /needs `signatures`/],
    ['webhooks:\n  signatures: [current]\n  sign: wrong', 6, /use only one of the two/],
    ['settings: { webhook.auth: none }\nwebhooks:\n  - signatures: [current]', 6, /sets `none`/],
  ])('%j is refused with line and column', (lines, line, words) => {
    const file = `id: wrong\ndescription: d\ntimeline: []\n${lines}\n`
    const read = readScenarioFile(file, 'wrong.yaml', 'wrong')
    expect(read).toMatchObject({ problems: [{ line, column: expect.any(Number) }] })
    expect(read).toMatchObject({ problems: [{ message: expect.stringMatching(words) }] })
  })

  test('of an extra webhook is refused too where the scenario switches standard signatures off', () => {
    const file =
      'id: wrong\ndescription: d\nsettings: { webhook.auth: hmac-body }\ntimeline:\n  - { at: 1s, webhook: { signatures: [foreign] } }\n'
    expect(readScenarioFile(file, 'wrong.yaml', 'wrong')).toMatchObject({
      problems: [{ line: 5, message: expect.stringContaining('sets `hmac-body`') }],
    })
  })
})

test('explain and the dashboard name the signatures', () => {
  const fault = { signatures: ['foreign', 'current'] as const, signatureVersions: ['v9', 'v1'] }
  expect(planWords({ faults: [{ ...fault, signatures: [...fault.signatures] }] })).toBe(
    'faults: signatures: foreign; current, signatureVersions: v9; v1',
  )
  expect(faultSentences({ ...fault, signatures: [...fault.signatures] })).toEqual([
    'Its signatures, in this order: v9 with a foreign secret, v1 with the current secret.',
  ])
})
