import { expect, test } from 'vitest'
import { catalogEntry } from '../../../src/domain/order/currencies.ts'

const settings = {
  'currencies.catalog': [
    { match: 'brl_*', decimals: 1 },
    { match: 'brl_pix', decimals: 2 },
    { match: 'brl_p*', decimals: 0 },
  ],
} as const

test.each([
  ['brl_pix', 'brl_pix', 'the entry that names it, though a wildcard stands before'],
  ['brl_pay', 'brl_*', 'the first of two wildcards'],
  ['brl_', 'brl_*', 'a wildcard that covers nothing more'],
])('%s has the entry %s: %s', (currencyId, match) => {
  expect(catalogEntry(settings, currencyId)?.match).toBe(match)
})

test.each(['brl', 'BRL_pix', 'xbrl_pix', 'brl*', ''])('%j is not in the catalogue', (currencyId) => {
  expect(catalogEntry(settings, currencyId)).toBeUndefined()
})

test('a lone star covers every currency', () => {
  expect(catalogEntry({ 'currencies.catalog': [{ match: '*' }] }, 'usd_us')).toEqual({ match: '*' })
})
