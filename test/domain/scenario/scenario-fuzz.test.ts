import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { explainText } from '../../../src/domain/explain/explain-text.ts'
import { explain } from '../../../src/domain/explain/explanation.ts'
import type { Order } from '../../../src/domain/order/order.ts'
import { carryOut } from '../../../src/domain/order/steps.ts'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import { readYaml } from '../../../src/domain/text/yaml-source.ts'
import { sharedScenarioSchema } from '../../../tools/docs/scenario-schema.ts'
import { accepts } from '../../support/json-schema.ts'
import { context, created } from '../factories.ts'

const word = fc.constantFrom('COMPLETED', 'FAILED', 'CREATED', 'ON_REVIEW', '', 'x'.repeat(70))
const time = fc.constantFrom(
  ...[
    '0s',
    '2s',
    '1h30m',
    'PT5M',
    '-1s',
    'expiry',
    'expiry - 1m',
    'trialEnd',
    'interval + 3d',
    'payer',
    'soon',
    '5',
  ],
)
const amount = fc.constantFrom('all', '30%', '1000%', '3.50', '0', '1e3', '-1', '0.1%')
const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), word, time, amount)
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.option(fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anything }), {
    nil: undefined,
    freq: 2,
  })

const step = fc.record({
  at: mostly(time),
  after: mostly(time),
  lookup: mostly(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant({ n: 1, of: 'orders' }))),
  every: mostly(fc.constant('interval')),
  from: mostly(fc.integer({ min: 0, max: 3 })),
  times: mostly(fc.integer({ min: 1, max: 3 })),
  charge: mostly(fc.integer({ min: 1, max: 3 })),
  pay: mostly(fc.constantFrom('completed', 'failed', 'abandoned')),
  order: mostly(word),
  error: mostly(fc.constant('9004')),
  payment: mostly(word),
  received: mostly(amount),
  crypto: mostly(fc.constantFrom<object>({ shown: true }, { order: 'FAILED' }, {})),
  refund: mostly(fc.oneof(amount, fc.record({ amount, status: word }))),
  refundStatus: mostly(word),
  refundError: mostly(fc.constantFrom<unknown>('9006.1', { errorCode: '', errorDesc: '' })),
  metadata: mostly(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }))),
  cancel: mostly(fc.constant(true)),
  client: mostly(
    fc.constantFrom<object>({ tokens: 'expired' }, { webhookUrl: null }, { refuseTokensFor: '1s' }),
  ),
  webhook: mostly(fc.constant({})),
  force: mostly(fc.boolean()),
})

/** A file with members of about the right shape; a part of them can be followed. */
const file = fc.record({
  id: fc.constant('x'),
  description: fc.constant('a test'),
  for: mostly(fc.constantFrom('checkout', 'subscription', 'payout')),
  trial: mostly(time),
  begin: mostly(
    fc.constantFrom<object>({ updatedTs: '-5m' }, { crypto: { shown: false } }, { padMetadata: '1KiB' }),
  ),
  settings: mostly(fc.constantFrom<object>({ orders: { expiry: '1h' } }, { orders: { onExpiry: 'fail' } })),
  timeline: fc.array(step, { maxLength: 4 }),
})

const schema = sharedScenarioSchema()
/** So many of those that can be followed are looked at more closely, which takes longer. */
const shown = 100
const kinds = ['checkout', 'subscription', 'payout', 'crypto-payin'] as const

test('whatever a file says, it is either refused with places and words, or can be followed to its end', {
  timeout: 60_000,
}, () => {
  let followed = 0
  fc.assert(
    fc.property(file, fc.constantFrom(...kinds), (value, kind) => {
      const text = stringify(value)
      const read = readScenarioFile(text, 'x.yaml', 'x')
      if ('problems' in read) {
        expect(read.problems.length).toBeGreaterThan(0)
        for (const { line, message } of read.problems) {
          expect(line).toBeGreaterThan(0)
          expect(message).not.toMatch(/undefined|\[object/)
        }
        return
      }
      followed += 1
      const { scenario } = read
      if (followed <= shown) {
        expect(accepts(schema, readYaml(text, 'x.yaml').value), 'the schema for editors').toBe(true)
        expect(explainText(explain(scenario, { kind }))).toMatch(/Nothing more happens|More would come/)
      }
      let order: Order = created({ scenario, wanted: { kind } }).order
      for (let steps = 0; steps < 40 && order.nextDueAt !== null; steps++) {
        const afterMs = order.nextDueAt - order.createdAt
        const decision = carryOut(order, context({ scenario, afterMs: Math.max(afterMs, 0) }))
        expect(decision).not.toBeNull()
        if (decision === null) return
        expect(decision.order.version).toBe(order.version + 1)
        expect(decision.order.updatedAt).toBeGreaterThanOrEqual(order.updatedAt)
        order = decision.order
      }
    }),
    { numRuns: 1_500, seed: 1 },
  )
  expect(followed).toBeGreaterThan(100)
})
