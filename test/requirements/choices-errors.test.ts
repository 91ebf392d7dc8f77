import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { operations } from '../support/operations.ts'

const mebibyte = 1024 * 1024

describe('N28: the answer to invalid input', () => {
  const spoilt = { lang: 'xx', mode: 'y', firstName: 'x'.repeat(51) }

  test.each([
    [{}, 400],
    [{ errors: { validationStatus: 422 } }, 422],
    [{ errors: { validationStatus: 499 } }, 499],
  ])(
    'N28: under %j create calls answer %i with an object that names all wrong fields',
    async (settings, status) => {
      const { c1 } = await startFixture({ settings })
      for (const answer of [
        await c1.createCheckout(c1.checkout('r1', spoilt)),
        await c1.createSubscription(c1.subscription('r1', { ...spoilt, userId: 'bob' })),
      ]) {
        expect(answer.status).toBe(status)
        expect(Object.keys(answer.json)).toEqual(['error'])
        expect(answer.json.error).toEqual({
          code: String(status),
          message: expect.stringMatching(/^\w+: .+; \w+: ./),
        })
      }
      const { error } = (await c1.createCheckout(c1.checkout('r1', spoilt))).json
      for (const field of Object.keys(spoilt)) expect(Object(error).message).toContain(`${field}: `)
    },
  )

  test.each([
    [{}, 400],
    [{ errors: { validationStatus: 422 } }, 422],
  ])('N28: under %j all other calls answer %i with a text', async (settings, status) => {
    const { c1 } = await startFixture({ settings })
    for (const answer of [
      await c1.lookUp(paths.fiat, { clientId: 'C1' }),
      await c1.lookUp(paths.crypto, { clientId: 'C1' }),
      await c1.lookUp(paths.refunds, { clientId: 'C1' }),
      await c1.simulate(c1.simulation('r1', { orderStatus: 1, orderId: 2 })),
      await c1.setWebhookUrl('nonsense'),
      await c1.setWebhookUrl('nonsense', {}, paths.fiatWebhookUrl),
    ]) {
      expect({ status: answer.status, json: answer.json }).toEqual({
        status,
        json: { error: expect.stringMatching(/^\w+: ./) },
      })
    }
  })

  test('N28: a wrong signed member is told together with the other wrong fields', async () => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout(c1.checkout('r1', { fiatAmount: 'ten', lang: 'xx' }))
    expectInvalid(answer, 'fiatAmount')
    expectInvalid(answer, 'lang')
  })
})

describe('N29: unknown members', () => {
  test('N29: are ignored, and the journal asks whether another was meant', async () => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout(c1.checkout('r1', { phonenumber: 'x', toString: 1, zzz: null }))
    expectStatus(answer, 200)
    const { notes } = await c1.journalOf(answer)
    expect(notes).toContainEqual(expect.stringMatching(/"phonenumber".*did you mean "phoneNumber"/))
    expect(notes).toContainEqual(expect.stringMatching(/"zzz"/))
  })

  test('N29: a __proto__ member is just one more unknown member', async () => {
    const { c1 } = await startFixture()
    const text = JSON.stringify(c1.checkout('r1')).replace('{', '{"__proto__":{"mode":"x","polluted":1},')
    const answer = await c1.post(paths.checkout, text, { signed: 'fiatAmount=10.00&requestId=r1' })
    expectStatus(answer, 200)
    expect(Object({})).not.toHaveProperty('polluted')
    expect(answer.json).not.toHaveProperty('url')
  })
})

describe('N31: empty and null', () => {
  const optional = [
    ...[
      'paymentMethodId',
      'userId',
      'userMessage',
      'firstName',
      'lastName',
      'phoneNumber',
      'mode',
      'targetApp',
    ],
    ...[
      'pixKey',
      'intlBankAccount',
      'bankAccount',
      'docType',
      'docId',
      'callbackUrl',
      'lang',
      'requestDescription',
    ],
  ]
  const objects = ['deviceContext', 'billingData', 'metadata']
  const all = (fields: readonly string[], value: unknown) =>
    Object.fromEntries(fields.map((field) => [field, value]))

  test('N31: optional texts may be empty, and count as absent', async () => {
    const { c1 } = await startFixture()
    const nested = { deviceContext: { deviceOS: '' }, billingData: { country: '', city: '' } }
    const answer = await c1.createCheckout(c1.checkout('r1', { ...all(optional, ''), ...nested }))
    expectStatus(answer, 200)
    expect(answer.json).not.toHaveProperty('url')
    expect(answer.json).toHaveProperty('offerInfoData.selectedPaymentMethod', 'ALL')
  })

  test('N31: an empty text does not satisfy a currency that requires the field', async () => {
    const catalog = [{ match: '*', requiredFields: ['requestDescription'] }]
    const { c1 } = await startFixture({ settings: { currencies: { catalog } } })
    const body = c1.checkout('r1', { requestDescription: '' })
    expectInvalid(await c1.createCheckout(body), 'requestDescription')
  })

  test.each([...optional, ...objects])('N31: null for %s is refused', async (field) => {
    const { c1 } = await startFixture()
    expectInvalid(await c1.createCheckout(c1.checkout('r1', { [field]: null })), field)
  })

  test('N31: or is absent, if so set; required members still must not be null', async () => {
    const { c1 } = await startFixture({ settings: { validation: { nullOptional: 'absent' } } })
    const nested = { deviceContext: { deviceOS: null }, billingData: { country: null } }
    const answer = await c1.createCheckout(
      c1.checkout('r1', { ...all([...optional, ...objects], null), ...nested }),
    )
    expectStatus(answer, 200)
    expectStatus(await c1.createSubscription(c1.subscription('r2', { trialPeriodDays: null })), 200)
    expectInvalid(await c1.createCheckout(c1.checkout('r3', { email: null })), 'email')
    expectInvalid(await c1.createCheckout(c1.checkout('r3', { fiatAmount: null })), 'fiatAmount')
  })

  test('N31, N69: nulls inside metadata are kept whatever the setting', async () => {
    const { c1 } = await startFixture({ settings: { validation: { nullOptional: 'absent' } } })
    await c1.createCheckout(c1.checkout('r1', { metadata: { a: null } }))
    expect((await c1.cryptoOrders('r1')).record.metadata).toEqual({ a: null })
  })
})

describe('N32: e-mail and callbackUrl', () => {
  test.each(['a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b\n'])('N32: email %j is refused', async (email) => {
    const { c1 } = await startFixture()
    expectInvalid(await c1.createCheckout(c1.checkout('r1', { email })), 'email')
  })

  test.each(['https://shop.test/back?x=1', 'http://localhost:3000', 'myapp://done', 'com.shop.app:/back'])(
    'N32: callbackUrl %j is accepted',
    async (callbackUrl) => {
      const { c1 } = await startFixture()
      expectStatus(await c1.createCheckout(c1.checkout('r1', { callbackUrl })), 200)
    },
  )

  test.each([
    ...['/back', 'shop.test/back', '//shop.test', 'https://', 'https:shop.test', 'x', 1],
    ...['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'],
    ...[
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://shop.test/1',
      'https://shop.test/\r\nx',
    ],
  ])('N32: callbackUrl %j is refused', async (callbackUrl) => {
    const { c1 } = await startFixture()
    expectInvalid(await c1.createCheckout(c1.checkout('r1', { callbackUrl })), 'callbackUrl')
  })
})

describe('N33: what plain HTTP has to say', () => {
  test.each(operations)('N33: another method on $name is 405, with Allow', async ({ path, method }) => {
    const { emulator } = await startFixture()
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((other) => other !== method)
    for (const other of others) {
      const answer = await emulator.send(path, { method: other, headers: { 'access-token': 'T1' } })
      expectStatus(answer, 405)
      expect(answer.headers.allow).toMatch(new RegExp(`^${method}(, HEAD)?$`))
      expect(answer.json).toEqual({ error: expect.any(String) })
    }
  })

  test('N64k: no CORS headers, for OPTIONS neither', async () => {
    const { emulator, c1 } = await startFixture()
    const headers = { origin: 'https://shop.test', 'access-control-request-method': 'POST' }
    const preflight = await emulator.send(paths.checkout, { method: 'OPTIONS', headers })
    expectStatus(preflight, 405)
    const call = await c1.createCheckout('r1', { headers })
    for (const answer of [preflight, call]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test.each([
    '/v1/client/order',
    '/v1/client/orders/',
    '/v1',
    '/',
    '/v1/client/checkout',
    '/v1//client/orders',
  ])('N33: %s is 404', async (path) => {
    const { emulator } = await startFixture()
    const answer = await emulator.send(`${path}?requestId=r1&clientId=C1`, {
      method: 'GET',
      headers: { 'access-token': 'T1' },
    })
    expectStatus(answer, 404)
    expect(answer.json).toEqual({ error: expect.any(String) })
  })

  test('N33: 404 names the nearest path', async () => {
    const { emulator } = await startFixture()
    const { json } = await emulator.send('/v1/client/order', { method: 'GET' })
    expect(json.error).toMatch(/\/v1\/client\/orders/)
  })

  test.each(operations.filter(({ method }) => method === 'POST'))(
    'N33: $name whose body is not announced as JSON is 415',
    async ({ call }) => {
      const { c1 } = await startFixture()
      for (const type of [
        null,
        '',
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/jsonx',
        'text/json',
      ]) {
        const answer = await call(c1, 'r1', { headers: { 'content-type': type } })
        expectStatus(answer, 415)
        expect(answer.json).toEqual({ error: expect.any(String) })
      }
    },
  )

  const padded = (body: object, size: number) => JSON.stringify(body).padEnd(size, ' ')
  const signed = 'fiatAmount=10.00&requestId=r1'

  test('N33: a body of 1 MiB is accepted, with Content-Length and in chunks', async () => {
    const { c1 } = await startFixture()
    expectStatus(await c1.post(paths.checkout, padded(c1.checkout('r1'), mebibyte), { signed }), 200)
    const chunks = chunked(padded(c1.checkout('r2'), mebibyte))
    expectStatus(await c1.post(paths.checkout, chunks, { signed: signed.replace('r1', 'r2') }), 200)
  })

  test.each(operations.filter(({ method }) => method === 'POST'))(
    'N33: $name with a larger body is 413, with Content-Length and in chunks',
    async ({ path }) => {
      const { c1, emulator } = await startFixture()
      const text = padded(c1.checkout('r1'), mebibyte + 1)
      for (const body of [text, chunked(text)]) {
        const answer = await c1.post(path, body, { signed, headers: { 'client-id': 'C1' } })
        expectStatus(answer, 413)
        expect(answer.json).toEqual({ error: expect.any(String) })
      }
      expect((await emulator.control('/orders')).items).toEqual([])
    },
  )

  test('N33, N22: with one webhook-url path switched off, that path is 404', async () => {
    const { c1 } = await startFixture({}, { settings: { 'paths.webhookUrl': 'fiat' } })
    expectStatus(await c1.setWebhookUrl('http://127.0.0.1:9/'), 404)
    expectStatus(await c1.setWebhookUrl('http://127.0.0.1:9/', {}, paths.fiatWebhookUrl), 200)
  })
})

test('N35: codes can be described anew; an unknown one is described too', async () => {
  const { c1 } = await startFixture({
    settings: { errors: { catalog: { '9004': 'other words', '1': 'one' } } },
  })
  for (const [errorCode, errorDesc] of [
    ['9004', 'other words'],
    ['1', 'one'],
    ['9005', 'Description not shown in the interface document'],
    ['9999', expect.any(String)],
  ]) {
    await c1.createCheckout(`r${errorCode}`)
    await c1.pay(`r${errorCode}`, 'failed', errorCode)
    expect((await c1.fiatOrders(`r${errorCode}`)).record.errorReason).toEqual({ errorCode, errorDesc })
  }
})

test('N18, N33: a refusal on a lookup never says more than it must', async () => {
  const { c1 } = await startFixture()
  const answer = await c1.lookUp(paths.fiat, { requestId: 'r1', clientId: 'C2' })
  expectVerificationFailed(answer)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('emulator-'))).toEqual([
    'emulator-request-id',
  ])
})

/** A text as a body without Content-Length. */
const chunked = (text: string) =>
  Readable.from([Buffer.from(text.slice(0, 1000)), Buffer.from(text.slice(1000))])
