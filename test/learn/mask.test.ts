import { expect, test } from 'vitest'
import { Masker } from '../../src/learn/mask.ts'
import { created, evidenceOf, lookedUp, webhook } from './story-exchanges.ts'

const person = {
  email: 'Anna.Kowalska@shop.test',
  firstName: 'Annabel',
  lastName: 'Kowalska',
  phoneNumber: '+4915112345678',
  docId: '390.533.447-05',
  intlBankAccount: 'DE89370400440532013000',
  bankAccount: '0532013000',
  userId: '5f0c1d2e-3a4b-4c5d-8e6f-111111111111',
  billingData: { address: 'Lindenallee 7', city: 'Oberammergau', country: 'DE', postalCode: '82487' },
}

const masker = (request: object = person) =>
  new Masker(
    evidenceOf([
      created({}, request),
      lookedUp({ at: 9_000 }, { orderStatus: 'COMPLETED' }),
      webhook({}, 'CREATED'),
    ]),
  )

test('one person has one replacement, in fields and wherever the same text occurs', () => {
  const mask = masker()
  expect(mask.maskJson(person)).toEqual({
    email: 'person-1@example.com',
    firstName: 'Name 1',
    lastName: 'Name 2',
    phoneNumber: '+10000000001',
    docId: 'DOC-000001',
    intlBankAccount: expect.stringMatching(/^DE\d{20}$/),
    bankAccount: 'ACCOUNT-000001',
    userId: '00000000-0000-4000-8000-000000000001',
    billingData: { address: 'Street 1', city: 'Place 1', country: 'DE', postalCode: '00001' },
  })
  expect(
    mask.mask('Annabel Kowalska <anna.kowalska@shop.test> lives at Lindenallee 7, 82487 Oberammergau'),
  ).toBe('Name 1 Name 2 <person-1@example.com> lives at Street 1, 00001 Place 1')
})

test('an address of any spelling is the same person', () => {
  const mask = masker()
  const texts = [
    'anna.kowalska@shop.test',
    'ANNA.KOWALSKA@SHOP.TEST',
    'Anna.Kowalska%40shop.test',
    '{"a":"anna.kowalska\\u0040shop.test"}',
  ]
  for (const text of texts) expect(decodeURIComponent(mask.mask(text))).toContain('person-1@example.com')
})

test('addresses, IBANs and phone numbers that no field names are found by their form', () => {
  const mask = masker({})
  const text = mask.mask('from bo@else.test, GB33 BUKB 2020 1555 5555 55, call +442071838750')
  expect(text).toMatch(/^from person-\d+@example\.com, GB\d{20}, call \+1000\d{7}$/)
  expect(text).not.toMatch(/BUKB|2071838750/)
  expect(mask.mask('GB34 BUKB 2020 1555 5555 55')).toBe('GB34 BUKB 2020 1555 5555 55')
})

test('an IBAN is replaced by a valid one of its country and length', () => {
  const masked = String(Object(masker({}).maskJson({ iban: 'NL91 ABNA 0417 1643 00' })).iban)
  expect(masked).toMatch(/^NL\d{16}$/)
  const digits = `${masked.slice(4)}2321${masked.slice(2, 4)}`
  expect(BigInt(digits) % 97n).toBe(1n)
})

test('card numbers are found by their form and check digit', () => {
  const mask = masker({})
  const numbers = ['4111111111111111', '5500 0055 5555 5559', '3782-822463-10005', '6011000990139424']
  for (const number of numbers)
    expect(mask.mask(`paid with ${number}.`)).toMatch(/^paid with ACCOUNT-\d{6}\.$/)
  const others = [
    '4111111111111112',
    '1764248400000',
    'id-4242424242424242',
    '424242424242424200000',
    '4.242424242424242',
  ]
  for (const other of others) expect(mask.mask(other)).toBe(other)
  expect(mask.maskJson({ card: { number: '5500', holder: 'A. Kowalska', cvc: '123' }, number: 7 })).toEqual({
    card: {
      number: expect.stringMatching(/^ACCOUNT-/),
      holder: expect.stringMatching(/^Name /),
      cvc: expect.stringMatching(/^ACCOUNT-/),
    },
    number: 7,
  })
})

test('an id of the capture that looks like a card number stays', () => {
  const mask = new Masker(evidenceOf([created({ requestId: '4111111111111111' })]))
  expect(mask.mask('order 4111111111111111')).toBe('order 4111111111111111')
})

test('times, amounts and ids are left alone', () => {
  const mask = masker()
  const text = '2026-03-01T12:00:00+03:00 10.00 order-of-r1 r1 usd_us +2s COMPLETED 1790000000000'
  expect(mask.mask(text)).toBe(text)
})

test('a requestId with an address is masked, another one is not', () => {
  const mask = new Masker(evidenceOf([created({ requestId: 'bo@else.test-7' })]))
  expect(mask.mask('bo@else.test-7')).toMatch(/^person-\d@example\.com/)
  expect(mask.mask('order 7')).toBe('order 7')
})

test('a person with the name of a status or a setting is masked in its fields only', () => {
  const mask = masker({ firstName: 'order', lastName: 'COMPLETED' })
  expect(mask.mask('- { at: 5s, order: COMPLETED }')).toBe('- { at: 5s, order: COMPLETED }')
  expect(mask.maskJson({ firstName: 'order', lastName: 'COMPLETED' })).toEqual({
    firstName: 'Name 1',
    lastName: 'Name 2',
  })
})

test('a name is not replaced inside another word, and a short one only in its field', () => {
  const mask = masker({ firstName: 'Ann', lastName: 'Li' })
  expect(mask.mask('Annual Ann Li List')).toBe('Annual Name 1 Li List')
  expect(mask.maskJson({ lastName: 'Li' })).toEqual({ lastName: 'Name 2' })
})

test('a capture that was masked before stays as it is, and its numbers are not used again', () => {
  const mask = masker({ email: 'person-1@example.com', firstName: 'Name 1' })
  expect(mask.maskJson({ email: 'person-1@example.com', firstName: 'Name 1' })).toEqual({
    email: 'person-1@example.com',
    firstName: 'Name 1',
  })
  expect(mask.mask('bo@else.test')).toBe('person-2@example.com')
  expect(mask.mask(mask.mask('bo@else.test'))).toBe('person-2@example.com')
})

test('secrets of headers, answers and the command line are masked wherever they occur', () => {
  const secrets = { apiSecret: 'the-api-secret-of-shop', webhookSecret: 'whsec_c2VjcmV0LW9mLXNob3A=' }
  const mask = new Masker(
    evidenceOf([created({}, { apiKey: 'key-of-the-shop' }), webhook({}, 'CREATED')], secrets),
  )
  const all = [
    'access-token-of-shop',
    'payment-token-r1',
    'key-of-the-shop',
    'c2lnbmF0dXJlLW9mLWEtd2ViaG9vaw==',
    ...Object.values(secrets),
  ]
  for (const secret of all) {
    expect(mask.mask(`seen ${secret} here`)).not.toContain(secret)
    expect(mask.mask(encodeURIComponent(secret))).not.toContain(encodeURIComponent(secret))
  }
})

test('tokens that the traffic does not explain are masked by their form', () => {
  const mask = masker()
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
  expect(mask.mask(`token ${jwt}`)).not.toContain('eyJzdWIiOiJhIn0')
  expect(mask.mask('Authorization: Bearer abcdefgh12345678')).not.toContain('abcdefgh12345678')
  expect(mask.mask('https://pay.test/page?token=abcdefgh12345678&lang=en')).toMatch(/token=abcd….*&lang=en$/)
  expect(mask.mask('https://bo:password9@pay.test/')).not.toContain('password9')
})

test('words of settings that speak of tokens and signatures are no secrets', () => {
  const text = 'auth.tokenLifetime: 1h\nsignature.checkout: short\n- { at: 2s, client: { tokens: expired } }'
  expect(masker().mask(text)).toBe(text)
})

test('data in a body that is cut off, or in a form, is known everywhere', () => {
  const cut = created({}, {}, { body: '{"email":"bo@else.test","lastName":"Bonifatius","fir' })
  const form = created({ requestId: 'r2' }, {}, { body: 'firstName=Theodora&email=theo%40else.test' })
  const mask = new Masker(evidenceOf([cut, form]))
  expect(mask.mask('Bonifatius and Theodora')).toMatch(/^Name \d and Name \d$/)
})

test('JSON of any depth is masked', () => {
  let deep: unknown = 'bo@else.test'
  for (let level = 0; level < 5_000; level++) deep = { deep }
  expect(JSON.stringify(masker().maskJson(deep))).not.toContain('else.test')
})

test('names of fields are masked too', () => {
  expect(masker().maskJson({ 'bo@else.test': { total: 3 } })).toEqual({
    'person-2@example.com': { total: 3 },
  })
})

test('a thousand people in a large capture are told apart', () => {
  const people = Array.from({ length: 1_000 }, (_, index) =>
    created(
      { requestId: `r${index}`, at: index },
      { email: `user${index}@shop.test`, lastName: `Family${index}` },
    ),
  )
  const mask = new Masker(evidenceOf(people))
  const text = people.map((_, index) => `Family${index} <user${index}@shop.test>`).join('\n')
  const masked = mask.mask(text)
  expect(masked).not.toMatch(/shop\.test|Family/)
  expect(new Set(masked.split('\n')).size).toBe(1_000)
})
