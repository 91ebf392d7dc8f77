import { expect, test } from 'vitest'
import { readSettingsFile } from '../../../src/domain/choices/read-settings.ts'
import { formatProblem } from '../../../src/domain/text/yaml-source.ts'

function complaints(text: string): string[] {
  const reading = readSettingsFile(text, 'settings.yaml')
  return 'problems' in reading ? reading.problems.map(formatProblem) : []
}

test('groups and dotted names may stand side by side', () => {
  const text =
    'signature.checkout: short\nwebhook:\n  retry: { max: 3 }\n  accept: 200\nscenarios.amounts: off\n'
  expect(readSettingsFile(text, 'settings.yaml')).toEqual({
    overlay: {
      'signature.checkout': 'short',
      'webhook.retry.max': 3,
      'webhook.accept': 200,
      'scenarios.amounts': 'off',
    },
  })
})

test.each([
  ['', 'an empty file'],
  ['# orders.expiry: 3m\n', 'a file that is all comments'],
  ['{}', 'an empty mapping'],
])('%j sets nothing: %s', (text) => {
  expect(readSettingsFile(text, 'settings.yaml')).toEqual({ overlay: {} })
})

test('a group whose lines are commented out sets nothing', () => {
  expect(complaints('orders:\n  # expiry: 3m\n')).toEqual([])
})

test.each([
  [
    'signature:\n  chekout: short',
    '2:3: unknown setting `signature.chekout`; did you mean `signature.checkout`?',
    'a slip in a name',
  ],
  [
    '\n\nsignatur.checkout: short',
    '3:1: unknown setting `signatur.checkout`; did you mean `signature.checkout`?',
    'a slip in a group',
  ],
  [
    'signature: { checkout: shrt }',
    '1:24: `signature.checkout`: expected `either`, `short` or `with-currency`, not "shrt"; did you mean `short`?',
    'a slip in a value',
  ],
  [
    'orders:\n  expiry: 3m\norders.expiry: 4m',
    '3:1: `orders.expiry` is set twice',
    'a setting twice, in two ways',
  ],
  [
    'orders.expiry:',
    '1:1: `orders.expiry` has no value; leave the setting out to use its default',
    'an empty value',
  ],
  [
    'refunds.errorReasonWhenNone: null',
    '1:30: `refunds.errorReasonWhenNone` has no value; write "null" in quotes',
    'the word null, which YAML takes for nothing',
  ],
  [
    'webhook:\n  format: template',
    '2:11: `webhook.format: template` needs `webhook.template`, the JSON to send',
    'a setting that needs another',
  ],
  [
    'webhook:\n  retry:\n    schedule: [1m, 5m]\n    base: 2s',
    '4:11: `webhook.retry.base` has no effect beside `webhook.retry.schedule`',
    'two forms of retries',
  ],
  [
    'orders:\n  ids: PO-${createdAt:yyyymmdd}',
    '2:8: `orders.ids`: needs at least 1000000 values in its random parts',
    'ids that would repeat',
  ],
  [
    'orders:\n  tokens: tok_${hex:16}',
    '2:11: `orders.tokens`: needs at least 122 random bits',
    'tokens that can be guessed',
  ],
  [
    'responses.urlField: offerInfoData.type',
    '1:21: `responses.urlField`: the API specification shows another value there',
    'the place of a documented field',
  ],
  ['webhook.retry.schedule: []', '1:25: `webhook.retry.schedule`: ', 'a schedule without retries'],
  [
    'webhook.retry.schedule:\n  - 1m\n  - 1x',
    '3:5: `webhook.retry.schedule`: expected a duration',
    'a delay that is none',
  ],
  [
    'currencies.catalog:\n  - match: brl_*\n    requiredFields: [billingdata]',
    '3:22: `currencies.catalog`: expected `requestDescription` or `billingData`, not "billingdata"; did you mean `billingData`?',
    'a slip deep inside a value',
  ],
  [
    'currencies.catalog:\n  - decimals: 2',
    '2:5: `currencies.catalog`: `match` is missing',
    'a member too few',
  ],
  ['- orders.expiry: 3m', '1:1: expected an object of settings, not a list', 'a list'],
  ['orders.expiry 3m', '1:1: expected an object of settings, not "orders.expiry 3m"', 'a colon too few'],
  ['orders: {expiry: 3m', '1:20: Flow map', 'YAML that does not end'],
])('%j is answered %s: %s', (text, complaint) => {
  expect(complaints(text)).toEqual([expect.stringContaining(`settings.yaml:${complaint}`)])
})

test('all that is wrong is told at once, from top to bottom', () => {
  const text = 'webhook:\n  timeout: 2m\n  retyr: 3\norders:\n  expiry: soon\n'
  expect(complaints(text).map((line) => line.split(': ')[0])).toEqual([
    'settings.yaml:2:12',
    'settings.yaml:3:3',
    'settings.yaml:5:11',
  ])
})
