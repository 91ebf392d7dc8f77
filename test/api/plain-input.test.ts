import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkoutRequest, subscriptionRequest } from '../../src/api/contract/create-requests.ts'
import { lookupQuery, simulateRequest } from '../../src/api/contract/other-requests.ts'
import { isPlain } from '../../src/api/plain-input.ts'

const everyOrder = {
  currencyId: 'BRL',
  fiatAmount: '149.90',
  email: 'ana@example.com',
  requestId: 'r1',
  clientId: 'demo-client',
}

const checkout = {
  ...everyOrder,
  userId: '6f1c1d3e-7c3a-4b8e-9d2f-5a4b3c2d1e0f',
  firstName: 'Ana',
  phoneNumber: '+5511987654321',
  mode: 'returnUrl',
  deviceContext: { deviceOS: 'ANDROID' },
  callbackUrl: 'https://shop.example/done',
  lang: 'pt',
  billingData: { city: 'Recife', country: 'BR' },
  metadata: { cart: 7, note: null, '': '' },
}

const simulation = {
  requestId: 'r1',
  clientId: 'demo-client',
  orderId: 'o1',
  orderStatus: 'COMPLETED',
  orderType: 'CHECKOUT',
  eventType: 'any',
}

const calls: readonly (readonly [string, z.ZodObject, Record<string, unknown>])[] = [
  ['checkout', checkoutRequest, checkout],
  ['subscription', subscriptionRequest, { ...everyOrder, interval: 'MONTHLY', trialPeriodDays: '7' }],
  ['lookup', lookupQuery, { requestId: 'r1', clientId: 'demo-client' }],
  ['simulation', simulateRequest, simulation],
]

/** Right and wrong values of every kind. */
const anything = [
  ...[undefined, null, true, 7, -0, Number.NaN, [], ['x'], {}, { deviceOS: 'IOS' }, { deviceOS: '' }],
  ...[{ city: '' }, { city: null }, { country: 'Brazil' }, { more: 'x' }, () => true],
  ...[
    '',
    ' ',
    'x',
    '7',
    '366',
    '0',
    '0.00',
    '10.5',
    '10.500',
    'ana',
    'a@b@c',
    'pt',
    'PT',
    'IOS',
    'returnAppUrl',
  ],
  ...[
    '\ud800',
    'a@\udfff',
    '\u0000',
    '+55',
    '55',
    'javascript:alert(1)',
    'shop:done',
    'https://',
    '/done',
    'é',
  ],
  ...['n'.repeat(50), 'n'.repeat(51), '😀'.repeat(50), '9'.repeat(1_001)],
]

test.each(calls)('an input that is right as it stands is taken without zod: %s', (_, schema, input) => {
  expect(isPlain(schema, input)).toBe(true)
  expect(schema.parse(input)).toEqual(input)
})

test.each(calls)('of all that is taken without zod, zod would change nothing: %s', (_, schema, input) => {
  const taken = Object.keys(schema.shape).flatMap((key) =>
    anything
      .map((value) => ({ ...input, [key]: value }))
      .filter((changed) => isPlain(schema, changed))
      .map((changed) => [changed, schema.safeParse(changed).data]),
  )
  expect(taken.length).toBeGreaterThan(1)
  for (const [changed, parsed] of taken) expect(parsed).toStrictEqual(changed)
})

test.each(calls)('zod takes up what is missing or unknown: %s', (_, schema, input) => {
  expect(isPlain(schema, { ...input, unheardOf: 'x' })).toBe(false)
  expect(isPlain(schema, JSON.parse(JSON.stringify(input).replace('{', '{"__proto__":"x",')))).toBe(false)
  for (const [key, member] of Object.entries(schema.shape)) {
    const { [key]: _gone, ...rest } = input
    expect(isPlain(schema, rest), key).toBe(member instanceof z.ZodOptional)
  }
})

test('an optional text that is empty counts as absent, so it is no plain one (N31)', () => {
  for (const [, schema, input] of calls) {
    for (const key of Object.keys(schema.shape))
      expect(isPlain(schema, { ...input, [key]: '' }), key).toBe(false)
  }
  expect(isPlain(checkoutRequest, { ...checkout, billingData: { city: '' } })).toBe(false)
})

test('a text of at most three letters is told from one of four', () => {
  const schema = z.object({ member: z.string().max(3) })
  expect(['xyz', 'wxyz'].map((member) => isPlain(schema, { member }))).toEqual([true, false])
})

test.each([
  ['a number', z.number()],
  ['a text that is trimmed', z.string().trim()],
  ['a text with a default', z.string().default('x')],
  ['a text that is cut', z.string().transform((text) => text.slice(1))],
  ['a text of exactly one letter', z.string().length(1)],
  ['a strict object', z.strictObject({ a: z.string() })],
  ['an object with a check', z.object({ a: z.string() }).refine(() => true)],
  ['one of several texts, with a check', z.enum(['x', 'y']).refine(() => true)],
  ['an optional one with a check', z.optional(z.string()).refine(() => true)],
  ['anything, with a check', z.custom(() => true).refine(() => true)],
])('what cannot be told from the schema is left to zod: %s', (_, member) => {
  for (const value of ['x', 1, { a: 'x' }])
    expect(isPlain(z.object({ member }), { member: value })).toBe(false)
})
