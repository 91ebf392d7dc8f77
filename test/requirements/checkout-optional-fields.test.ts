import { describe, test } from 'vitest'
import { expectAccepted, expectRefused } from './checkout-attempts.ts'

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

  test.each(['returnUrl', 'returnAppUrl'])('R33: mode %j is accepted', (mode) =>
    expectAccepted({ mode, targetApp: 'someBank' }),
  )

  test.each(['returnurl', 'x', 'RETURNURL', ' returnUrl', 1, ['returnUrl']])(
    'R33: mode %j is refused',
    (mode) => expectRefused({ mode }, 'mode'),
  )

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
