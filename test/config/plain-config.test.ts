import fc from 'fast-check'
import { expect, test } from 'vitest'
import { givenConfig } from '../../src/config/given-config.ts'
import { plainConfig } from '../../src/config/plain-config.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { configSchema } from '../../src/config/schema.ts'

const value = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.integer({ min: -2, max: 70_000 }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom<unknown>(null, undefined, [], {}, '', 0, -0, 65_535, 65_536, 2 ** 53, Number.NaN),
)
const member = fc.constantFrom(...Object.keys(configSchema.shape), 'ports', '__proto__', 'toString')
const given = fc
  .array(fc.tuple(member, value), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries))

test('what is taken at a look is what the schema makes of it', () => {
  fc.assert(
    fc.property(given, (input) => {
      const plain = plainConfig(input)
      if (plain !== null) expect(readConfig(input)).toEqual({ ok: true, value: plain })
    }),
    { numRuns: 3_000 },
  )
})

test.each([
  [{}],
  [{ port: 0, database: 'a.db', host: '0.0.0.0', durable: true, openControl: true }],
  [{ seed: 's', apiSecret: 't', drainMs: 0 }],
])('%j is taken at a look', (input) => {
  expect(plainConfig(input)).toEqual(configSchema.parse(input))
})

test.each([
  [{ clock: 'manual' }],
  [{ webhookUrl: 'http://a/b' }],
  [{ settings: {} }],
  [{ port: '1' }],
  [{ host: '' }],
  [{ nothing: 1 }],
])('%j has to be read', (input) => {
  expect(plainConfig(input)).toBe(null)
  expect(givenConfig(input)).toEqual(readConfig(input))
})
