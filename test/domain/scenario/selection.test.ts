import { expect, test } from 'vitest'
import { defaultSettings } from '../../../src/domain/choices/settings.ts'
import { type Selectors, selectScenario } from '../../../src/domain/scenario/selection.ts'

const nothing: Selectors = {
  control: null,
  next: null,
  header: null,
  metadata: null,
  email: 'a@example.com',
  requestDescription: undefined,
  userMessage: undefined,
  fiatAmount: '10.00',
  clientDefault: 'happy',
}
const named = (selectors: Partial<Selectors>, settings = {}) =>
  selectScenario({ ...nothing, ...selectors }, { ...defaultSettings, ...settings })

test('everything names a scenario at once: they come in their documented order', () => {
  const all = named({
    next: 'n',
    header: 'h',
    metadata: 'm',
    email: 'buyer+tag@example.com',
    requestDescription: 'scenario:d',
    userMessage: 'scenario: u',
    fiatAmount: '90.04',
    clientDefault: 'c',
  })
  expect(all.map(({ id }) => id)).toEqual(['n', 'h', 'm', 'tag', 'd', 'u', 'fail-9004', 'c', 'happy'])
})

test.each([
  ['buyer+fail-9004@example.com', 'fail-9004'],
  ['buyer+a+b@example.com', 'a+b'],
  ['buyer+@example.com', 'happy'],
  ['buyer@ex+ample.com', 'happy'],
])('the e-mail %s names %s', (email, id) => {
  expect(named({ email })[0]?.id).toBe(id)
})

test.each([
  ['90.04', 'fail-9004'],
  ['90.05', 'fail-9005'],
  ['90.06', 'refund-failed'],
  ['70.01', 'create-timeout-then-7001'],
  ['90.4', 'happy'],
])('the amount %s names %s (N68)', (fiatAmount, id) => {
  expect(named({ fiatAmount })[0]?.id).toBe(id)
})

test('amounts can be switched off (N68)', () => {
  expect(named({ fiatAmount: '90.04' }, { 'scenarios.amounts': 'off' })[0]?.id).toBe('happy')
})

test('a description that merely mentions a scenario names none', () => {
  expect(named({ requestDescription: 'my scenario:x' })[0]?.id).toBe('happy')
})
