import { expect, test } from 'vitest'
import { amountSpellings } from '../../../src/domain/diagnosis/signature/value-mistakes.ts'

test.each([
  ['10.00', ['10', '10.0', '10.0000', '10,00', '1000', '1E+1', '1e1']],
  ['10', ['10.0', '10.00', '1000', '1E+1']],
  ['10.5', ['10.50', '10.5000', '10,50', '1050']],
  ['1234567.80', ['1,234,567.80', '1.234.567,80', '1234567.8', '123456780']],
  ['007.50', ['7.5', '7.50', '750']],
  ['0.05', ['0,05', '5', '0.0500']],
])('%s is also spelled %j', (amount, spellings) => {
  expect(amountSpellings(amount)).toEqual(expect.arrayContaining(spellings))
})

test.each([
  ['10.00', ['10.00', '1', '100', '10.01', '1.00']],
  ['10.50', ['10', '10.05', '105', '11']],
  ['0.05', ['0', '0.5', '0.50', '']],
])('%s is never %j', (amount, others) => {
  for (const other of others) expect(amountSpellings(amount)).not.toContain(other)
})

test.each(['', 'ten', '10.000', '-1', '1'.repeat(41), '1e1'])('%j has no other spelling', (amount) => {
  expect(amountSpellings(amount)).toEqual([])
})
