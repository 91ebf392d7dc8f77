import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid, expectOrderExists, expectStatus } from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'

/** Creates an order whose body differs from the smallest right one, and expects 200. */
async function created(changes: JsonObject, settings: object = {}): Promise<JsonObject> {
  const { c1 } = await startFixture({ settings })
  const answer = await c1.createCheckout(c1.checkout('r1', changes))
  expectStatus(answer, 200)
  return answer.json
}

async function expectAccepted(changes: JsonObject, settings: object = {}): Promise<void> {
  await created(changes, settings)
}

/** Creates an order likewise, and expects that `field` is found wrong and that no order is stored. */
async function expectRefused(changes: JsonObject, field: string, settings: object = {}) {
  const { c1, emulator } = await startFixture({ settings })
  expectInvalid(await c1.createCheckout(c1.checkout('r1', changes)), field)
  expect((await emulator.control('/orders')).items).toEqual([])
}

const everyField: JsonObject = {
  paymentMethodId: 'pix_br',
  userId: '3f0c1f0e-8c1d-4a57-9a53-0d1d7a0f4c11',
  userMessage: 'A sword',
  firstName: 'Zażółć',
  lastName: "O'Neill",
  phoneNumber: '+5511999999999',
  mode: 'returnAppUrl',
  targetApp: 'someBank',
  deviceContext: { deviceOS: 'ANDROID' },
  pixKey: 'a@example.com',
  intlBankAccount: 'DE89370400440532013000',
  bankAccount: '0001234567',
  docType: 'CPF',
  docId: '111.444.777-35',
  callbackUrl: 'https://shop.test/back?x=1',
  lang: 'pt',
  requestDescription: 'one sword',
  billingData: {
    address: 'Rua A, 1',
    street: 'Rua A',
    city: 'São Paulo',
    state: 'SP',
    country: 'BR',
    postalCode: '01000-000',
  },
  metadata: { basket: [1, 2] },
}

describe('1b: required fields of a checkout', () => {
  test.each([undefined, 123, '', null])('R17: currencyId %j is refused', (currencyId) =>
    expectRefused({ currencyId }, 'currencyId'),
  )

  test.each([undefined, null])('R18: fiatAmount %j is refused', (fiatAmount) =>
    expectRefused({ fiatAmount }, 'fiatAmount'),
  )

  test.each([undefined, 7, '', null])('R21: email %j is refused', (email) =>
    expectRefused({ email }, 'email'),
  )

  test.each([undefined, 889938983, '', null])('R22: requestId %j is refused', (requestId) =>
    expectRefused({ requestId }, 'requestId'),
  )

  test.each([undefined, 1, '', null])('R25: clientId %j is refused', (clientId) =>
    expectRefused({ clientId }, 'clientId'),
  )

  test('R22: a requestId need not be a UUID', async () => {
    expect(await created({ requestId: '889938983' })).toHaveProperty('requestId', '889938983')
  })

  test.each(['889938983', 'zamówienie-✓', 'a b&c=d', '"\\\u0000', '💶'.repeat(50)])(
    'R23: requestId %j stands unchanged in the first webhook',
    async (requestId) => {
      const receiver = await startReceiver()
      const { c1 } = await startFixture({ webhookUrl: receiver.url })
      expectStatus(await c1.createCheckout(requestId), 200)
      const [first] = await receiver.received(1)
      expect(first?.json).toMatchObject({ requestId, orderStatus: 'CREATED' })
    },
  )

  test('R24: a requestId is good for one order', async () => {
    const { c1 } = await startFixture()
    expectStatus(await c1.createCheckout('r1'), 200)
    expectOrderExists(await c1.createCheckout('r1'))
  })

  test('R26: nothing else is required', async () => {
    await expectAccepted({})
  })

  test('R27: all optional fields are accepted together', async () => {
    expect(await created(everyField)).toHaveProperty('status', 'CREATED')
  })
})

describe('1b: the amount', () => {
  test.each(['10', '10.5', '10.50', '0.01', '007.00'])(
    'R19, R123: fiatAmount %j is accepted',
    async (amount) => {
      const json = await created({ fiatAmount: amount })
      expect(json).toHaveProperty('offerInfoData.totalFiatAmount', amount)
    },
  )

  test.each(['10.501', '10.500', '0.001'])('R19, R123: fiatAmount %j has too many decimals', (amount) =>
    expectRefused({ fiatAmount: amount }, 'fiatAmount'),
  )

  test.each([
    'ten',
    '',
    '1e1',
    '10,00',
    '-1',
    ' 10',
    '10 ',
    '+10',
    '10.',
    '.5',
    '0x10',
    '١٠',
    '10.00\n',
    'NaN',
    '1_0',
  ])('R20: fiatAmount %j is no amount', (amount) => expectRefused({ fiatAmount: amount }, 'fiatAmount'))
})

describe('1b: optional fields', () => {
  test('R28: userId may be a UUID', () => expectAccepted({ userId: '3f0c1f0e-8c1d-4a57-9a53-0d1d7a0f4c11' }))

  test.each(['bob', '3f0c1f0e8c1d4a579a530d1d7a0f4c11', '{3f0c1f0e-8c1d-4a57-9a53-0d1d7a0f4c11}', 1])(
    'R28: userId %j is refused',
    (userId) => expectRefused({ userId }, 'userId'),
  )

  test.each(['x'.repeat(50), '😀'.repeat(50)])(
    'R30, R31, R123: 50 characters are a name, whatever they are: %s',
    async (name) => {
      await expectAccepted({ firstName: name, lastName: name })
    },
  )

  test.each(['x'.repeat(51), '😀'.repeat(51), 7])('R30, R123: firstName %j is refused', (firstName) =>
    expectRefused({ firstName }, 'firstName'),
  )

  test.each(['x'.repeat(51), '😀'.repeat(51), 7])('R31, R123: lastName %j is refused', (lastName) =>
    expectRefused({ lastName }, 'lastName'),
  )

  test.each(['+5511999999999', '+123456789012345'])('R32, R123: phoneNumber %j is accepted', (phoneNumber) =>
    expectAccepted({ phoneNumber }),
  )

  test.each([
    '5511999999999',
    '+55 11 9999',
    '+1234567890123456',
    '+',
    '+55-11',
    '++5511999999999',
    '+551199\n',
    55,
  ])('R32, R123: phoneNumber %j is refused', (phoneNumber) => expectRefused({ phoneNumber }, 'phoneNumber'))

  test.each([{}, { deviceOS: 'IOS' }, { deviceOS: 'ANDROID' }])(
    'R38: deviceContext %j is accepted',
    (deviceContext) => expectAccepted({ deviceContext }),
  )

  test.each(['IOS', ['IOS'], 1])('R38: deviceContext %j is refused', (deviceContext) =>
    expectRefused({ deviceContext }, 'deviceContext'),
  )

  test.each(['ios', 'Android', 'WINDOWS', 1])('R38: deviceOS %j is refused', (deviceOS) =>
    expectRefused({ deviceContext: { deviceOS } }, 'deviceContext.deviceOS'),
  )

  test.each(['a@example.com', '+5511999999999', '111.444.777-35', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'])(
    'R39: pixKey %j is accepted',
    (pixKey) => expectAccepted({ pixKey }),
  )

  const texts = [
    'intlBankAccount',
    'bankAccount',
    'docType',
    'docId',
    'userMessage',
    'targetApp',
    'paymentMethodId',
  ]
  test.each(texts)('R40: %s must be a text', async (field) => {
    await expectAccepted({ [field]: '0012' })
    await expectRefused({ [field]: 12 }, field)
  })

  test.each(['pt', 'en', 'zu'])('R42: lang %j is accepted', (lang) => expectAccepted({ lang }))

  test.each(['por', 'xx', 'p', 'pt-BR', 1])('R42: lang %j is refused', (lang) =>
    expectRefused({ lang }, 'lang'),
  )

  test.each([{}, { country: 'BR' }, { postalCode: '01000-000' }])(
    'R44: billingData %j is accepted',
    (billingData) => expectAccepted({ billingData }),
  )

  test.each(['x', [], 1])('R44: billingData %j is refused', (billingData) =>
    expectRefused({ billingData }, 'billingData'),
  )

  test.each(['BRA', 'B', '55', 55])('R44: country %j is refused', (country) =>
    expectRefused({ billingData: { country } }, 'billingData.country'),
  )

  test.each(['address', 'street', 'city', 'state', 'country', 'postalCode'])(
    'R44: %s of billingData must be a text',
    (member) => expectRefused({ billingData: { [member]: 1 } }, `billingData.${member}`),
  )

  test.each([{}, { a: [1, null, { ключ: '✓' }], b: null }])('R46: metadata %j is accepted', (metadata) =>
    expectAccepted({ metadata }),
  )

  test.each(['x', [1], 1, true])('R46: metadata %j is refused', (metadata) =>
    expectRefused({ metadata }, 'metadata'),
  )
})

describe('1b: mode', () => {
  test('R34: mode returnUrl is answered with the URL of a page', async () => {
    const { url, token } = await created({ mode: 'returnUrl' })
    expect(url).toMatch(/^https?:\/\/[^/]+\/pay\//)
    expect(String(url).endsWith(`/pay/${token}`)).toBe(true)
  })

  test('R35: mode returnAppUrl with a targetApp is answered with the URL of an application', async () => {
    const { url } = await created({ mode: 'returnAppUrl', targetApp: 'some bank' })
    expect(URL.canParse(String(url))).toBe(true)
    expect(url).not.toMatch(/^https?:/)
    expect(new URL(String(url)).searchParams.get('app')).toBe('some bank')
  })

  test.each([undefined, '', 'INVALID_APP', 7])(
    'R36: mode returnAppUrl with targetApp %j is refused',
    (targetApp) => expectRefused({ mode: 'returnAppUrl', targetApp }, 'targetApp'),
  )

  test('R37: without a mode there is no URL', async () => {
    expect(await created({ targetApp: 'someBank' })).not.toHaveProperty('url')
  })
})

describe('1b: fields that a currency can require', () => {
  const required = (field: string) => ({
    currencies: { catalog: [{ match: 'brl_*', requiredFields: [field] }] },
  })

  test.each([
    ['requestDescription', 'a sword'],
    ['billingData', { country: 'BR' }],
  ])('R43, R45: %s is required where the catalogue says so, and only there', async (field, value) => {
    const settings = required(field)
    await expectRefused({ currencyId: 'brl_x' }, field, settings)
    await expectAccepted({ currencyId: 'brl_x', [field]: value }, settings)
    await expectAccepted({ currencyId: 'usd_us' }, settings)
    await expectAccepted({ currencyId: 'brl_x' })
  })
})

describe('1b: metadata', () => {
  test.each([
    '{"a":{"b":[1,null,"é"]}}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":1},"":"","ключ":{"😀":[[],{}]}}',
  ])('R47: metadata %s comes back in the crypto lookup as it was passed', async (metadata) => {
    const { c1 } = await startFixture()
    const body = JSON.stringify(c1.checkout('r1')).replace(/}$/, `,"metadata":${metadata}}`)
    const signed = 'fiatAmount=10.00&requestId=r1'
    expectStatus(await c1.post('/v1/client/checkout/create-order', body, { signed }), 200)
    const { text, record } = await c1.cryptoOrders('r1')
    expect(record.metadata).toEqual(JSON.parse(metadata))
    expect(text).toContain(`"metadata":${metadata}`)
  })

  test('R48: metadata stands neither in the create answer nor in the fiat lookup', async () => {
    const { c1 } = await startFixture()
    const created = await c1.createCheckout(c1.checkout('r1', { metadata: { findMe: 1 } }))
    const fiat = await c1.fiatOrders('r1')
    expectStatus(created, 200)
    for (const { text } of [created, fiat]) expect(text).not.toMatch(/metadata|findMe/)
    expect(fiat.data).toHaveLength(1)
  })
})
