import { describe, expect, test } from 'vitest'
import { forms } from '../support/forms.ts'
import { checkout, openInboxAt } from '../support/inbox.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

describe.each(forms)('an inbox of an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)
  const openWith = (settings: Record<string, unknown>) => openInboxAt(emulator(), { settings })

  test('refuses what is not signed rightly, and hands it out only to who asks for it', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    await client.createCheckoutOrder(checkout, { scenario: 'webhook-forged' })
    await inbox.next({ orderStatus: 'CREATED' })
    await client.clock.advance('10s')
    await expect(inbox.next({}, { timeoutMs: 0 })).rejects.toThrow(
      /COMPLETED of \S+, signature wrong: it does not (?:fit|match) the body and the client's webhookSecret, answered 401/,
    )
    expect(await inbox.next({}, { signature: 'wrong' })).toMatchObject({
      signature: expect.stringMatching(/^wrong: /),
      answered: 401,
    })
    expect((await inbox.next({}, { signature: 'any' })).signature).toMatch(/^missing: /)
    const [forged] = await client.deliveries.list({ orderStatus: 'COMPLETED' })
    expect(forged?.attempts).toMatchObject([
      { status: 401, responseBody: expect.stringMatching(/^signature /) },
    ])
  })

  test('knows a secret that somebody else has changed meanwhile', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    const another = await emulator().client(client.clientId)
    await another.change({ webhookSecret: 'whsec_b3RoZXItd2ViaG9vay1zZWNyZXQ=' })
    await client.createCheckoutOrder(checkout)
    expect(await inbox.next()).toMatchObject({ signature: 'ok', answered: 200 })
  })

  test('accepts either secret of a rotation until the overlap is over, whoever asked for the rotation', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    const before = client.webhookSecret
    const another = await emulator().client(client.clientId)
    for (const rotating of [client, another]) {
      await rotating.rotateWebhookSecret({ overlap: '1h' })
      for (const signatures of [['current'], ['previous'], ['foreign', 'previous']] as const) {
        await client.deliveries.send({ body: {}, signatures: [...signatures] })
        expect(await inbox.next()).toMatchObject({ signature: 'ok', answered: 200 })
      }
    }
    expect(client.webhookSecret).not.toBe(before)
    await client.clock.advance('1h')
    await client.deliveries.send({ body: {}, signatures: ['previous'] })
    expect(await inbox.next({}, { signature: 'wrong' })).toMatchObject({ answered: 401 })
    await client.deliveries.send({
      body: {},
      signatures: ['foreign', 'current'],
      signatureVersions: ['v9', 'v1'],
    })
    expect(await inbox.next()).toMatchObject({ signature: 'ok' })
  })

  test('accepts the secret before a rotation at the time of the client’s clock, if that is signed', async () => {
    const { client, inbox } = await openWith({ 'webhook.signTime': 'virtual' })
    await client.clock.advance('10d')
    await client.rotateWebhookSecret()
    await client.deliveries.send({ body: {}, signatures: ['previous'] })
    expect(await inbox.next()).toMatchObject({ signature: 'ok' })
  })

  test('refuses a rotation to what is no secret', async () => {
    const { client } = await openInboxAt(emulator())
    const before = client.webhookSecret
    await expect(client.rotateWebhookSecret({ webhookSecret: 'secret' })).rejects.toThrow(
      'webhookSecret: must be',
    )
    expect(client.webhookSecret).toBe(before)
  })

  test('answers what is not signed rightly as all else if it is told to', async () => {
    const { client, inbox } = await openInboxAt(emulator(), {}, { acceptUnverified: true })
    await client.deliveries.send({ clientId: client.clientId, body: {}, sign: false })
    expect(await inbox.next({}, { signature: 'wrong' })).toMatchObject({ answered: 200 })
  })

  test('counts a forged webhook as one that came', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    await client.deliveries.send({
      clientId: client.clientId,
      body: { orderStatus: 'COMPLETED' },
      sign: 'wrong',
    })
    await expect(inbox.none()).rejects.toThrow('COMPLETED of (no requestId), signature wrong')
  })

  test.each([
    ['hmac-body', 'flat'],
    ['none', 'flat'],
    ['standard', 'envelope'],
    ['none', 'jwt'],
    ['hmac-body', 'jwt'],
  ])('verifies auth %s and reads the format %s', async (auth, format) => {
    const { client, inbox } = await openWith({ 'webhook.auth': auth, 'webhook.format': format })
    const order = await client.createCheckoutOrder(checkout, { scenario: 'fail-9004' })
    await client.clock.advance('1h')
    const { event, signature, webhookId } = await inbox.next({ orderStatus: 'FAILED' })
    expect(signature).toBe('ok')
    expect(webhookId === null).toBe(auth !== 'standard')
    expect(event).toEqual({
      requestId: order.requestId,
      clientId: client.clientId,
      orderId: expect.stringMatching(/./),
      orderStatus: 'FAILED',
      orderType: 'CHECKOUT',
      eventType: 'service-sdk-transaction-status',
      errorCode: '9004',
    })
  })

  test.each([
    ['hmac-body', 'flat', /^wrong: .* apiSecret$/],
    ['none', 'jwt', /^wrong: the token in the body/],
  ])('knows what is forged with auth %s and the format %s', async (auth, format, problem) => {
    const { client, inbox } = await openWith({ 'webhook.auth': auth, 'webhook.format': format })
    await client.createCheckoutOrder(checkout, { scenario: 'webhook-forged' })
    await client.clock.advance('3s')
    expect((await inbox.next({}, { signature: 'wrong' })).signature).toMatch(problem)
  })

  test('misses the header signature where the settings ask for that', async () => {
    const { client, inbox } = await openWith({ 'webhook.auth': 'hmac-body' })
    await client.deliveries.send({ clientId: client.clientId, body: {}, sign: false })
    expect((await inbox.next({}, { signature: 'wrong' })).signature).toBe(
      'missing: expected in the header signature',
    )
  })

  test('knows what a scenario lays over the settings of the client', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    await client.scenarios.put('unsigned', {
      id: 'unsigned',
      description: 'Webhooks without signatures',
      settings: { 'webhook.auth': 'none' },
      timeline: [],
    })
    await client.createCheckoutOrder(checkout, { scenario: 'unsigned' })
    expect(await inbox.next()).toMatchObject({ signature: 'ok', webhookId: null })
  })

  test('needs no requestId in the body to know that no signature is asked for', async () => {
    const { client, inbox } = await openWith({
      'webhook.auth': 'none',
      'webhook.format': 'template',
      'webhook.template': { state: '${orderStatus}' },
    })
    await client.createCheckoutOrder(checkout)
    expect((await inbox.next({ state: 'CREATED' })).signature).toBe('ok')
  })

  test('reads a template by the settings, and by its own names', async () => {
    const { client, inbox } = await openWith({
      'webhook.format': 'template',
      'webhook.template': { order: { id: '${orderId}', state: '${orderStatus}' }, requestId: '${requestId}' },
    })
    const { requestId } = await client.createCheckoutOrder(checkout)
    expect(await inbox.next({ requestId, 'order.state': 'CREATED' })).toMatchObject({
      event: { requestId, clientId: client.clientId, orderStatus: 'CREATED' },
      body: { order: { state: 'CREATED' } },
    })
  })

  describe('with signatures made on the client’s clock', () => {
    const virtual = { 'webhook.signTime': 'virtual' }

    test('takes them for right at that time', async () => {
      const { client, inbox } = await openWith(virtual)
      await client.clock.advance('30d')
      await client.createCheckoutOrder(checkout)
      await client.clock.advance('1h')
      expect((await inbox.waitFor({}, { count: 2 })).map(({ signature }) => signature)).toEqual(['ok', 'ok'])
    })

    test.each([
      ['-10m', /^too old: .* client's clock$/],
      ['10m', /^not yet valid: /],
    ])('does not at %s from it', async (timestamp, problem) => {
      const { client, inbox } = await openWith(virtual)
      await client.clock.advance('30d')
      await client.deliveries.send({ clientId: client.clientId, body: {}, timestamp })
      expect((await inbox.next({}, { signature: 'wrong' })).signature).toMatch(problem)
    })

    test('allows for the time that has passed since on a fast clock', async () => {
      const { client, inbox } = await openWith(virtual)
      // Ten minutes pass there while a webhook is on its way for a tenth of a second.
      await client.clock.set({ mode: 'real', speed: 6_000, now: (await client.clock.now()) + 86_400_000 })
      await client.deliveries.send({ clientId: client.clientId, body: {}, timestamp: '-10m' })
      expect((await inbox.next({}, { signature: 'any' })).signature).toBe('ok')
    })

    test('knows what is forged', async () => {
      const { client, inbox } = await openWith(virtual)
      await client.clock.advance('30d')
      await client.deliveries.send({ clientId: client.clientId, body: {}, sign: 'wrong' })
      expect((await inbox.next({}, { signature: 'wrong' })).signature).toMatch(/^wrong: /)
    })
  })

  test('takes a signature of the client’s clock for too old where the wall’s is asked for', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    await client.deliveries.send({ clientId: client.clientId, body: {}, timestamp: '-10m' })
    expect((await inbox.next({}, { signature: 'wrong' })).signature).toMatch(/^too old: .* 5 minutes ago$/)
  })
})
