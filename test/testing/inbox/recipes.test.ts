import { createHmac } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import type { HandMadeDelivery } from '../../../src/index.ts'
import { forms } from '../support/forms.ts'
import { checkout, openInboxAt } from '../support/inbox.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

const recipe = {
  header: 'X-Pay-Signature',
  format: 't=${timestamp},v1=${signature}',
  signed: '${timestamp}.${id}.${body}',
  headers: { 'X-Event-Id': '${id}' },
}

describe.each(forms)('an inbox of an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)
  const openWith = (settings: Record<string, unknown>) => openInboxAt(emulator(), { settings })

  test('verifies by the recipe of the settings, and knows the id of the webhook', async () => {
    const { client, inbox } = await openWith({ 'webhook.signature': recipe })
    await client.createCheckoutOrder(checkout)
    const { signature, webhookId, headers } = await inbox.next()
    expect([signature, webhookId]).toEqual(['ok', headers['x-event-id']])
  })

  test.each([
    [{ sign: 'wrong' }, /^wrong: x-pay-signature does not have the HMAC-SHA256 of \$\{timestamp\}\.\$\{id\}/],
    [{ sign: false }, /^missing: x-event-id and x-pay-signature are required$/],
    [{ timestamp: '-10m' }, /^too old: the time in x-pay-signature is more than 5 minutes ago$/],
    [{ timestamp: '10m' }, /^not yet valid: /],
    [{ headers: { 'x-pay-signature': 't=now,v1=ab' } }, /^unreadable: .* is not a number of seconds$/],
    [{ headers: { 'x-pay-signature': 'v1=ab' } }, /^unreadable: /],
    [{ tamper: true }, /^wrong: .*keyed with the client's webhookSecret$/],
    [{ signatures: ['foreign'] }, /^wrong: /],
  ] satisfies [Partial<HandMadeDelivery>, RegExp][])('refuses %j by the recipe', async (fault, words) => {
    const { client, inbox } = await openWith({ 'webhook.signature': recipe })
    await client.deliveries.send({ body: { a: 1 }, ...fault })
    expect(await inbox.next({}, { signature: 'wrong' })).toMatchObject({
      signature: expect.stringMatching(words),
      answered: 401,
    })
  })

  test('notices that the settings have changed, and that a scenario signs in another way', async () => {
    const { client, inbox } = await openWith({})
    await client.createCheckoutOrder(checkout)
    expect((await inbox.next()).headers).toHaveProperty('webhook-signature')
    await client.changeSettings({ 'webhook.signature': recipe })
    await client.createCheckoutOrder(checkout)
    expect(await inbox.next()).toMatchObject({
      signature: 'ok',
      headers: { 'x-event-id': expect.anything() },
    })
    await client.scenarios.put('own', {
      id: 'own',
      description: 'Webhooks with a signature of their own',
      settings: { 'webhook.signature': { header: 'x-own' } },
      timeline: [],
    })
    await client.createCheckoutOrder(checkout, { scenario: 'own' })
    expect(await inbox.next()).toMatchObject({ signature: 'ok', headers: { 'x-own': expect.anything() } })
  })

  test('accepts both secrets of a rotation, each by the recipe', async () => {
    const { client, inbox } = await openWith({ 'webhook.signature': recipe })
    await client.rotateWebhookSecret({ overlap: '1h' })
    for (const signatures of [['previous'], ['foreign', 'current']] as const) {
      await client.deliveries.send({ body: {}, signatures: [...signatures] })
      expect(await inbox.next()).toMatchObject({ signature: 'ok' })
    }
  })

  test('compares the time with the client’s clock where that is signed', async () => {
    const settings = { 'webhook.signTime': 'virtual', 'webhook.signature': { ...recipe, timestamp: 'iso' } }
    const { client, inbox } = await openWith(settings)
    await client.clock.advance('30d')
    await client.deliveries.send({ body: {} })
    expect((await inbox.next()).signature).toBe('ok')
  })
})

describe.each(forms.slice(0, 1))('a token of one’s own form, of an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)
  const openWith = (jwt: object, more: object = {}) =>
    openInboxAt(emulator(), {
      settings: { webhook: { auth: 'none', format: 'jwt', jwt, ...more } },
    })
  const verified = async (token: unknown, key: string | Buffer) =>
    jwtVerify(String(token), typeof key === 'string' ? new TextEncoder().encode(key) : key)

  test('is in another field, with claims, times, id and key of the settings', async () => {
    const claims = { iss: 'pay', sub: '${orderId}', requestId: '${requestId}', state: '${orderStatus}' }
    const { client, inbox } = await openWith({
      ...{ member: 'token', claims, iat: true, exp: '5m', jti: true, kid: 'key-1' },
      ...{ algorithm: 'HS512', secret: 'webhook-secret', secretAs: 'base64' },
    })
    const { requestId } = await client.createCheckoutOrder(checkout)
    const { body, signature } = await inbox.next()
    expect(signature).toBe('ok')
    const key = Buffer.from(client.webhookSecret.slice('whsec_'.length), 'base64')
    const { payload, protectedHeader } = await verified(Reflect.get(Object(body), 'token'), key)
    expect(protectedHeader).toEqual({ alg: 'HS512', typ: 'JWT', kid: 'key-1' })
    const { iat = 0, exp = 0 } = payload
    expect(payload).toMatchObject({
      iss: 'pay',
      requestId,
      state: 'CREATED',
      jti: expect.stringMatching(/./),
    })
    expect([exp - iat, Math.abs(iat - Date.now() / 1_000) < 60]).toEqual([300, true])
  })

  test('is in a header, beside its claims as the body, and fresh in each attempt', async () => {
    const { client, inbox } = await openWith({ header: 'X-Token', iat: true, exp: '5m' })
    inbox.answerOnce(500)
    await client.createCheckoutOrder(checkout)
    await client.clock.advance('1s')
    const [first, second] = await inbox.waitFor({}, { count: 2 })
    expect([first?.signature, second?.signature]).toEqual(['ok', 'ok'])
    const { payload } = await verified(second?.headers['x-token'], client.apiSecret)
    expect(payload).toMatchObject(Object(second?.body))
    expect(second?.body).toMatchObject({ data: { orderStatus: 'CREATED' } })
  })

  test.each([
    [{ sign: 'wrong' }, /^wrong: the token in x-token does not match the client's apiSecret$/],
    [{ sign: false }, /^missing: expected a token in the header x-token$/],
    [{ timestamp: '-10m' }, /^too old: the token in x-token has expired, by its claim exp$/],
    [{ headers: { 'x-token': 'a.b.c' } }, /^unreadable: the token in x-token is not a JWT with HS256$/],
  ] as const)('in a header is refused with %j', async (fault, words) => {
    const { client, inbox } = await openWith({ header: 'X-Token', exp: '5m' })
    await client.deliveries.send({
      event: { requestId: 'r1', orderId: 'o', orderStatus: 'X', orderType: 'CHECKOUT' },
      ...fault,
    })
    expect((await inbox.next({}, { signature: 'wrong' })).signature).toMatch(words)
  })

  test('is signed with another key if it is forged, and old if its time is shifted', async () => {
    const { client, inbox } = await openWith({ member: 'jwt', exp: '5m' })
    const event = { requestId: 'r1', orderId: 'o', orderStatus: 'COMPLETED', orderType: 'CHECKOUT' }
    await client.deliveries.send({ event, sign: 'wrong' })
    expect((await inbox.next({}, { signature: 'wrong' })).signature).toMatch(/^wrong: the token in the body/)
    await client.deliveries.send({ event, timestamp: '-10m' })
    expect((await inbox.next({}, { signature: 'wrong' })).signature).toMatch(/^too old: /)
  })

  test('of the usual form is as it always was', async () => {
    const { client, inbox } = await openInboxAt(emulator(), {
      settings: { webhook: { auth: 'none', format: 'jwt' } },
    })
    const { requestId } = await client.createCheckoutOrder(checkout)
    const { text } = await inbox.next({ requestId })
    const [, head = '', claims = '', signature] =
      /^\{"payload":"([\w-]+)\.([\w-]+)\.([\w-]+)"\}$/.exec(text) ?? []
    expect(Buffer.from(head, 'base64url').toString()).toBe('{"alg":"HS256","typ":"JWT"}')
    expect(Object.keys(JSON.parse(Buffer.from(claims, 'base64url').toString()))).toEqual([
      'requestId',
      'type',
      'data',
    ])
    expect(signature).toBe(
      createHmac('sha256', client.apiSecret).update(`${head}.${claims}`).digest('base64url'),
    )
  })
})
