import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkoutString, sign, signedWith, subscriptionString } from '../../src/domain/signature.ts'
import { diagnoseSignature } from '../../src/domain/signature-diagnosis.ts'

const secret = 'sandbox-secret'
const checkout = { currencyId: 'usd_us', fiatAmount: '10.00', requestId: 'req-0001' }
const subscription = { currencyId: 'usd_us', fiatAmount: '1.00', requestId: 'sub-0001', interval: 'MONTHLY' }

test.each([
  [checkoutString(checkout, 'short'), 'GC/0eqJ6e9f9lMiCshEz+fwM6wxEZAV4fYx0SykmkSc='],
  [
    checkoutString({ ...checkout, fiatAmount: '10' }, 'short'),
    '26P3w4iDNB5varVHVvM07ep7oTbAFWvldz2ESBK/ySk=',
  ],
  [checkoutString(checkout, 'with-currency'), 'sKStc4vTl+OPODBlSeILVeFpKjXjMIHSi7fuyvsMmA0='],
  [subscriptionString(subscription), 'F2Hf7QH3xFSLaoEw5lwjYDKcvnKt4KDj7uTxlQa2bX8='],
  [
    subscriptionString({ ...subscription, trialPeriodDays: '7' }),
    'BxAfMAZHncQjsgfJpEjDa6MOMh2knaxR9acjdjxlL48=',
  ],
  [
    checkoutString({ ...checkout, requestId: 'zamówienie-✓' }, 'short'),
    'endbB3CptrGITD+2ZyflzvmUUkIny7DQgS9bYJG4U5g=',
  ],
])('%s has its known signature (R111)', (text, signature) => {
  expect(sign(text, secret)).toBe(signature)
})

test('an empty trialPeriodDays is not signed (R65)', () => {
  expect(subscriptionString({ ...subscription, trialPeriodDays: '' })).toBe(subscriptionString(subscription))
})

test('a signature fits the form it was made over, and no other', () => {
  const forms = [
    ['short', checkoutString(checkout, 'short')],
    ['with-currency', checkoutString(checkout, 'with-currency')],
  ] as const
  expect(signedWith(sign(forms[1][1], secret), forms, secret)).toBe('with-currency')
  expect(signedWith(sign(forms[1][1], 'another secret'), forms, secret)).toBeNull()
  expect(signedWith('', forms, secret)).toBeNull()
})

describe('a refused signature is explained', () => {
  const stringToSign = checkoutString(checkout, 'short')
  const digest = createHmac('sha256', secret).update(stringToSign).digest()
  const diagnose = (signature: string | undefined) =>
    diagnoseSignature({ kind: 'checkout', signature, members: checkout, apiSecret: secret, stringToSign })

  test.each([
    ['missing', undefined, 'signature.missing'],
    ['the hex digest', digest.toString('hex'), 'signature.hex'],
    ['the hex digest in capitals', digest.toString('hex').toUpperCase(), 'signature.hex'],
    [
      'the base64 of the hex digest',
      Buffer.from(digest.toString('hex')).toString('base64'),
      'signature.base64-of-hex',
    ],
    ['without padding', digest.toString('base64').replace('=', ''), 'signature.padding'],
    [
      'over 10 instead of 10.00',
      sign('fiatAmount=10&requestId=req-0001', secret),
      'signature.amount-spelling',
    ],
    [
      'over 10.0 with the currency',
      sign('currencyId=usd_us&fiatAmount=10.0&requestId=req-0001', secret),
      'signature.amount-spelling',
    ],
    [
      'over the subscription string',
      sign(subscriptionString(checkout), secret),
      'signature.subscription-form',
    ],
    ['made with another secret', sign(stringToSign, 'another secret'), 'signature.wrong'],
  ])('%s', (_, signature, cause) => {
    expect(diagnose(signature)).toMatchObject({ cause, stringToSign })
  })

  test('in base64url, if that makes a difference', () => {
    const members = { ...checkout, requestId: 'req-0002' }
    const text = checkoutString(members, 'short')
    const signature = sign(text, secret).replaceAll('+', '-').replaceAll('/', '_')
    expect(signature, 'the example has a character that tells the alphabets apart').toMatch(/[-_]/)
    const refused = { kind: 'checkout', signature, members, apiSecret: secret, stringToSign: text } as const
    expect(diagnoseSignature(refused).cause).toBe('signature.base64url')
  })

  test('with what was signed, and where it differs', () => {
    expect(diagnose(sign('fiatAmount=10&requestId=req-0001', secret))).toEqual({
      cause: 'signature.amount-spelling',
      message: 'signature: you signed `fiatAmount=10`, the body says `10.00`',
      stringToSign,
      signedString: 'fiatAmount=10&requestId=req-0001',
      firstDifference: 'fiatAmount=10'.length,
    })
  })

  test('as percent-encoded values', () => {
    const members = { ...checkout, requestId: 'a b&c' }
    const text = checkoutString(members, 'short')
    const signature = sign('fiatAmount=10.00&requestId=a%20b%26c', secret)
    const refused = { kind: 'checkout', signature, members, apiSecret: secret, stringToSign: text } as const
    expect(diagnoseSignature(refused).cause).toBe('signature.percent-encoded')
  })

  test.each([
    ['without the trial days', subscriptionString(subscription)],
    ['with the short checkout string', checkoutString(subscription, 'short')],
  ])('a subscription signed %s', (_, text) => {
    const members = { ...subscription, trialPeriodDays: '7' }
    const stringToSign = subscriptionString(members)
    const refused = {
      kind: 'subscription',
      signature: sign(text, secret),
      members,
      apiSecret: secret,
      stringToSign,
    } as const
    expect(diagnoseSignature(refused).cause).toMatch(/trial-days|checkout-form/)
  })
})
