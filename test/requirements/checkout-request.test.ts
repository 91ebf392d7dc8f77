import { describe, expect, test } from 'vitest'
import { isUrl } from '../../src/domain/text/urls.ts'
import type { JsonObject } from '../support/answer.ts'
import { startFixture } from '../support/emulator.ts'
import { expectOrderExists, expectStatus } from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'
import { created, expectAccepted, expectRefused } from './checkout-attempts.ts'

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

  test('R29: without a userId the user is known by the e-mail', async () => {
    const { c1, emulator } = await startFixture()
    const userId = '3f0c1f0e-8c1d-4a57-9a53-0d1d7a0f4c11'
    for (const requestId of ['r1', 'r2']) await c1.createCheckout(requestId)
    await c1.createCheckout(c1.checkout('r3', { userId }))
    expect((await emulator.control('/users?clientId=C1')).items).toEqual([
      { clientId: 'C1', userKey: userId, userId, email: 'a@example.com', orders: 1 },
      { clientId: 'C1', userKey: 'a@example.com', email: 'a@example.com', orders: 2 },
    ])
    expect((await emulator.control('/users?limit=1')).json.next).toEqual(expect.any(String))
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

describe('1b: mode', () => {
  test('R34: mode returnUrl is answered with the URL of a page', async () => {
    const { url, token } = await created({ mode: 'returnUrl' })
    expect(url).toMatch(/^https?:\/\/[^/]+\/pay\//)
    expect(String(url).endsWith(`/pay/${token}`)).toBe(true)
  })

  test('R35: mode returnAppUrl with a targetApp is answered with the URL of an application', async () => {
    const { url } = await created({ mode: 'returnAppUrl', targetApp: 'some bank' })
    expect(isUrl(String(url))).toBe(true)
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
