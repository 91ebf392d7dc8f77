import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'

describe('webhook-url', () => {
  test.each([
    'http://127.0.0.1:9',
    'https://hooks.shop.test:8443/a/b?c=d&e=%20',
    'http://localhost/hook',
    'http://web/hook',
    'http://[::1]:3000/hook',
    'http://host.docker.internal:3000/hook',
    `http://a.test/${'x'.repeat(2048 - 'http://a.test/'.length)}`,
  ])('N49: %s is a webhook URL', async (url) => {
    const { c1, emulator } = await startFixture()
    expectStatus(await c1.setWebhookUrl(url), 200)
    expect((await emulator.control('/clients/C1')).json.webhookUrl).toBe(url)
  })

  test.each([
    ['', 'nothing'],
    ['shop.test/hook', 'not absolute'],
    ['/hook', 'not absolute'],
    ['//shop.test/hook', 'not absolute'],
    ['ftp://shop.test/hook', 'not http'],
    ['javascript:alert(1)', 'not http'],
    ['http://', 'no host'],
    ['http:shop.test', 'no slashes'],
    ['http://shop.test/hook#part', 'a fragment'],
    ['http://shop.test/hook#', 'an empty fragment'],
    ['http://user:secret@shop.test/', 'credentials'],
    ['http://user@shop.test/', 'a user name'],
    ['http://shop.test/a b', 'a space'],
    ['http://shop.test/\r\nx: y', 'a line break'],
    ['http://shop.test:99999/', 'no such port'],
    ['http://shop.test:0/hook', 'port 0, where nothing listens'],
    ['http://shop.test:00/', 'port 0 in other letters'],
    [`http://a.test/${'x'.repeat(2049 - 'http://a.test/'.length)}`, '2049 characters'],
  ])('N49: %j is none (%s)', async (url) => {
    const { c1, emulator } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/old' })
    expectInvalid(await c1.setWebhookUrl(url), 'webhookUrl')
    expect((await emulator.control('/clients/C1')).json.webhookUrl).toBe('http://127.0.0.1:9/old')
  })

  test.each([
    ['shop.test/hook', 'not \\"shop.test/hook\\"; did you mean `http://shop.test/hook`?'],
    ['http://shop.test:0/hook', 'a port from 1 to 65535, not \\"http://shop.test:0/hook\\"'],
    ['http://user:hush@shop.test/', 'not \\"http://***@shop.test/\\"'],
  ])('the refusal of %s shows it, without what may be secret', async (url, words) => {
    const { c1 } = await startFixture()
    const { text } = await c1.setWebhookUrl(url)
    expect(text).toContain(words)
    expect(text).not.toContain('hush')
  })

  test.each([
    ['the header `client_id`', { client_id: 'C1' }, {}],
    ['the header `x-client-id`', { 'x-client-id': 'C1' }, {}],
    ['the body', {}, { clientId: 'C1' }],
  ])('a clientId that came in %s is found', async (place, headers, members) => {
    const { c1, emulator } = await startFixture()
    const answer = await emulator.send('/v1/client/webhook-url', {
      method: 'POST',
      headers: { 'access-token': 'T1', 'content-type': 'application/json', ...headers },
      body: { webhookUrl: 'http://127.0.0.1:9/', ...members },
    })
    expectVerificationFailed(answer)
    const { diagnosis } = await c1.journalOf(answer)
    expect(diagnosis).toMatchObject({ cause: 'clientId.missing', message: expect.stringContaining(place) })
  })

  test('N50: the answer, byte for byte', async () => {
    const { c1 } = await startFixture()
    const { status, text } = await c1.setWebhookUrl('http://127.0.0.1:9/')
    expect({ status, text }).toEqual({ status: 200, text: '{"message":"Webhook URL updated"}' })
  })

  test('N22: the journal notes which path was taken', async () => {
    const { c1 } = await startFixture()
    for (const [path, word] of [
      ['/v1/client/webhook-url', 'short'],
      ['/v1/client/fiat/webhook-url', 'fiat'],
    ] as const) {
      const answer = await c1.setWebhookUrl('http://127.0.0.1:9/', {}, path)
      expect((await c1.journalOf(answer)).notes).toContainEqual(expect.stringContaining(word))
    }
  })
})

describe('simulate-webhook', () => {
  test.each(['requestId', 'clientId', 'orderId', 'orderStatus', 'orderType', 'eventType'])(
    'N51: %s is required',
    async (member) => {
      const { c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/' })
      for (const value of [undefined, '']) {
        expectInvalid(await c1.simulate(c1.simulation('r1', { [member]: value })), member)
      }
    },
  )

  test.each([undefined, ''])('N51: errorCode %j is no errorCode', async (errorCode) => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    expectStatus(await c1.simulate(c1.simulation('r1', { errorCode })), 200)
    expect((await receiver.received(1))[0]?.json).not.toHaveProperty('errorCode')
  })

  test.each([
    ['CHECKOUT', {}, true],
    ['PAYOUT', {}, true],
    ['CRYPTOPAYIN', {}, true],
    ['checkout', {}, false],
    ['PAYIN', {}, false],
    ['PAYIN', { orders: { cryptoPayinType: 'PAYIN' } }, true],
    ['CRYPTOPAYIN', { orders: { cryptoPayinType: 'PAYIN' } }, false],
  ])('N52, N61: orderType %s under %j is accepted: %s', async (orderType, settings, accepted) => {
    const { c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/', settings })
    const answer = await c1.simulate(c1.simulation('r1', { orderType }))
    if (accepted) expectStatus(answer, 200)
    else expectInvalid(answer, 'orderType')
  })

  test('N39, N52: strange statuses, codes and event types are sent; the journal warns', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    const strange = { orderStatus: 'ON_REVIEW', errorCode: '12345', eventType: 'anything' }
    const answer = await c1.simulate(c1.simulation('r1', strange))
    expectStatus(answer, 200)
    expect((await receiver.received(1))[0]?.json).toMatchObject(strange)
    const { notes } = await c1.journalOf(answer)
    expect(notes).toContainEqual(expect.stringMatching(/^orderStatus "ON_REVIEW"/))
    expect(notes).toContainEqual(expect.stringMatching(/^errorCode "12345"/))
  })

  test('N53: the order need not exist; the clientId must be that of the token', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    expectStatus(await c1.simulate(c1.simulation('no-such-order')), 200)
    expectVerificationFailed(await c1.simulate(c1.simulation('r1', { clientId: 'nobody' })))
    await c1.settle()
    expect(receiver.requests.map(({ json }) => json.requestId)).toEqual(['no-such-order'])
  })

  test('N54: it is answered at once, byte for byte, however slow the receiver is', async () => {
    const receiver = await startReceiver()
    receiver.answerWith('hang')
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    const { status, text } = await c1.simulate(c1.simulation('r1'))
    expect({ status, text }).toEqual({ status: 200, text: '{"message":"Webhook simulated"}' })
    await receiver.received(1)
  })

  test('N54: it is delivered through the normal queue: signed, recorded, tried again', async () => {
    const receiver = await startReceiver()
    receiver.answerWith({ status: 500 }, {})
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    await c1.simulate(c1.simulation('r1'))
    await c1.settle()
    const { deliveries } = await c1.advance('1m')
    expect(deliveries.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([[2, 'accepted']])
    expect(receiver.requests[0]?.headers).toHaveProperty('webhook-signature')
    expect(await c1.deliveries()).toMatchObject([{ status: 'delivered', requestId: 'r1' }])
  })

  test('N54: two simulations of the same event are two events', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    await Promise.all(Array.from({ length: 10 }, () => c1.simulate(c1.simulation('r1'))))
    const ids = (await receiver.received(10)).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(10)
  })

  test('N54: without a registered URL it is refused', async () => {
    const { c1 } = await startFixture()
    expectInvalid(await c1.simulate(c1.simulation('r1')), 'webhookUrl')
    expect(await c1.deliveries()).toEqual([])
  })
})
