import { describe, expect, test } from 'vitest'
import { formedId, orderIdForm, tokenForm } from '../../../src/domain/order/id-forms.ts'

const source = {
  seed: 's',
  use: 'orderId',
  clientId: 'C1',
  requestId: 'r1',
  charge: 1,
  nowMs: Date.UTC(2026, 10, 27, 23, 59),
  draw: 0,
}
const form = 'PO-${createdAt:yyyymmdd}-${digits:6}'

test('an id has the date of the order and random parts of the length that the form says', () => {
  expect(formedId(form, source)).toMatch(/^PO-20261127-\d{6}$/)
  expect(formedId('${hex:32}', source)).toMatch(/^[0-9a-f]{32}$/)
  expect(formedId('${hex:8:upper}x${charge:3}', source)).toMatch(/^[0-9A-F]{8}x001$/)
  expect(formedId('${base62:64}', source)).toMatch(/^[0-9A-Za-z]{64}$/)
})

test('the same source gives the same id, and a change of any part another one', () => {
  const id = formedId('${base62:24}', source)
  expect(formedId('${base62:24}', { ...source })).toBe(id)
  const changes = [
    { seed: 't' },
    { use: 'token' },
    { clientId: 'C2' },
    { requestId: 'r2' },
    { charge: 2 },
    { nowMs: 0 },
    { draw: 1 },
  ]
  const others = changes.map((change) => formedId('${base62:24}', { ...source, ...change }))
  expect(new Set([id, ...others]).size).toBe(changes.length + 1)
})

test('random parts beside each other do not repeat each other', () => {
  const [digits = '', hex = ''] = formedId('${digits:20}-${hex:20}', source).split('-')
  expect(BigInt(digits)).not.toBe(BigInt(`0x${hex}`) % 10n ** 20n)
})

test('the digits are evenly distributed', () => {
  const counts = Array.from({ length: 10 }, () => 0)
  for (let n = 0; n < 500; n++)
    for (const digit of formedId('${digits:10}', { ...source, requestId: `r${n}` }))
      counts[Number(digit)] = (counts[Number(digit)] ?? 0) + 1
  for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(120)
})

describe('a form of orderIds is refused', () => {
  test.each([
    ['PO-1', 'ids would repeat'],
    ['PO-${createdAt:yyyymmdd}', 'ids would repeat'],
    ['PO-${digits:5}', 'ids would repeat'],
    ['PO-${digits:3}${digits:3}', 'ids would repeat'],
    ['PO-${digits}', 'needs a number of characters'],
    ['PO-${hex:65}', 'needs a number of characters from 1 to 64'],
    ['PO/${digits:8}', 'must consist of letters'],
    ['PO-${createdAt}-${digits:8}', 'must consist of letters'],
    ['${hex:64}${base62:64}', 'at most 100'],
    ['${digit:8}', 'did you mean `digits`'],
    ['${digits:8:seconds}', 'unknown format'],
    ['', 'small'],
  ])('%s: %s', (text, hint) => {
    const { success, error } = orderIdForm.safeParse(text)
    expect(success).toBe(false)
    expect(error?.message).toContain(hint)
  })

  test('but not with a million values', () => {
    expect(orderIdForm.safeParse(form).success).toBe(true)
    expect(orderIdForm.safeParse('${digits:3}${hex:3}').success).toBe(true)
  })
})

test.each([
  ['tok_${hex:31}', true],
  ['tok_${hex:30}', false],
  ['${base62:21}', true],
  ['${base62:20}', false],
  ['${base62:24:lower}', false],
  ['${digits:37}', true],
  ['${digits:36}', false],
  ['${digits:20}${hex:20}', true],
])('the token form %s has enough random bits: %s', (text, isEnough) => {
  const { success, error } = tokenForm.safeParse(text)
  expect(success).toBe(isEnough)
  if (!isEnough) expect(error?.message).toContain('122 random bits')
})
