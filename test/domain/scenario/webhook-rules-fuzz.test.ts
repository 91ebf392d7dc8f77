import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { carryOut } from '../../../src/domain/order/steps.ts'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import type { NewDelivery } from '../../../src/domain/webhook/delivery.ts'
import { faultsAt } from '../../../src/domain/webhook/faults/attempt-faults.ts'
import { context, created } from '../factories.ts'

const status = fc.constantFrom('CREATED', 'ON_REVIEW', 'COMPLETED', 'FAILED', 'COMPLETD')
const span = fc.constantFrom('0s', '1s', '1m', 'soon')
const sometimes = <T>(usual: fc.Arbitrary<T>) => fc.option(usual, { nil: undefined, freq: 1 })

const treatment = {
  delay: sometimes(span),
  duplicate: sometimes(fc.integer({ min: 0, max: 3 })),
  apart: sometimes(span),
  simultaneous: sometimes(fc.integer({ min: 0, max: 3 })),
  ids: sometimes(fc.constantFrom('same', 'fresh')),
  body: sometimes(fc.jsonValue({ maxDepth: 1 })),
  patch: sometimes(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))),
  sign: sometimes(fc.constantFrom(true, false, 'wrong', 'old')),
  timestamp: sometimes(fc.constantFrom('-10m', '10m')),
  tamper: sometimes(fc.boolean()),
  truncate: sometimes(fc.nat(30)),
  cut: sometimes(fc.constantFrom<unknown>('end', 0, 7)),
  headers: sometimes(fc.constantFrom<object>({ 'Content-Type': null }, { 'a b': 'c' }, {})),
  countAs: sometimes(fc.constantFrom(200, 500, 99)),
  times: sometimes(fc.integer({ min: 1, max: 3 })),
  attempts: sometimes(fc.integer({ min: 1, max: 3 })),
}

/** Few members at a time, so that most rules are right. */
const few = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .subarray(Object.keys(members), { maxLength: 4 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, members[name] ?? fc.nat()]))))

const rule = few({
  of: sometimes(status),
  drop: sometimes(fc.boolean()),
  after: sometimes(status),
  early: sometimes(fc.boolean()),
  ...treatment,
})

const file = fc.record({
  id: fc.constant('x'),
  description: fc.constant('a test'),
  timeline: few({ status: sometimes(status), ...treatment }).map((webhook) => [
    { at: '1s', order: 'ON_REVIEW' },
    { at: '2s', order: 'COMPLETED', webhook },
    { at: '3s', refund: 'all' },
  ]),
  webhooks: fc.array(rule, { maxLength: 3 }),
})

test('whatever rules say, they are refused with places and words, or each webhook has its own place', () => {
  let followed = 0
  fc.assert(
    fc.property(file, (value) => {
      const read = readScenarioFile(stringify(value), 'x.yaml', 'x')
      if ('problems' in read) {
        expect(read.problems.length).toBeGreaterThan(0)
        for (const { message } of read.problems) expect(message).not.toMatch(/undefined|\[object/)
        return
      }
      followed += 1
      const { scenario } = read
      const settings = { 'webhook.refunds': 'event', 'webhook.legs': 'both' } as const
      let { order, events } = created({ scenario, settings })
      const all: NewDelivery[] = [...events]
      while (order.nextDueAt !== null) {
        const afterMs = order.nextDueAt - order.createdAt
        const decision = carryOut(order, context({ scenario, settings, afterMs }))
        if (decision === null) throw new Error('nothing was due')
        for (const event of decision.events) {
          expect(event.sequence).toBeGreaterThan(order.events)
          expect(event.sequence).toBeLessThanOrEqual(decision.order.events)
          expect(event.dueAt).toBeGreaterThanOrEqual(order.nextDueAt ?? 0)
        }
        ;({ order, events } = decision)
        all.push(...events)
      }
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
      for (const { plan } of all) expect(faultsAt(plan, 4), 'times are over').toEqual(lasting(plan))
      expect(JSON.parse(JSON.stringify(all)), 'it can be kept').toEqual(all)
      expect(JSON.parse(JSON.stringify(order))).toEqual(order)
    }),
    { numRuns: 1_500, seed: 1 },
  )
  expect(followed).toBeGreaterThan(250)
})

/** The faults that no number of attempts ends. */
function lasting(plan: NewDelivery['plan']): object {
  return faultsAt(plan === null ? null : { ...plan, faults: plan.faults?.filter((one) => !one.times) }, 4)
}
