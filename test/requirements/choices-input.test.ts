import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectStatus } from '../support/expect.ts'

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

  test("N29: inside deviceContext and billingData too; what is in metadata is nobody's business", async () => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout(
      c1.checkout('r1', {
        deviceContext: { deviceOs: 'IOS' },
        billingData: { postalcode: '1' },
        metadata: { deviceOs: 1 },
      }),
    )
    expectStatus(answer, 200)
    expect(Object((await c1.journalOf(answer)).notes).slice(0, 2)).toEqual([
      'unknown field "deviceContext.deviceOs" ignored; did you mean "deviceContext.deviceOS"?',
      'unknown field "billingData.postalcode" ignored; did you mean "billingData.postalCode"?',
    ])
  })

  test('N29: of very many only the first are named', async () => {
    const { c1 } = await startFixture()
    const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`k${n}`, n]))
    const answer = await c1.createCheckout(c1.checkout('r1', many))
    expectStatus(answer, 200)
    const { notes } = await c1.journalOf(answer)
    expect(notes).toContain('14980 more unknown fields ignored')
    expect(Object(notes).length).toBeLessThan(30)
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
