import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextBatch, type Waiting } from '../../../src/domain/webhook/batch-form.ts'

const event = (dueAt: number, fields: Partial<Waiting> = {}): Waiting => ({
  ...{ dueAt, settings: null, isJson: true },
  ...fields,
})
const form = { max: 3, within: 100 }
const next = (...waiting: Waiting[]) => {
  const batch = nextBatch(waiting, form)
  return batch && { size: batch.events.length, at: batch.at }
}

describe('the next batch', () => {
  test.each([
    ['none without events', [], null],
    ['one event waits', [event(5)], { size: 1, at: 105 }],
    ['those within the time go with it', [event(5), event(105), event(106)], { size: 2, at: 105 }],
    ['goes when it is full', [event(5), event(6), event(9), event(9)], { size: 3, at: 9 }],
    ['no JSON goes alone and at once', [event(5, { isJson: false }), event(6)], { size: 1, at: 5 }],
    ['goes before one that goes alone', [event(5), event(8, { isJson: false })], { size: 1, at: 8 }],
    ['goes before one with other settings', [event(5), event(8, { settings: '{}' })], { size: 1, at: 8 }],
    ['does not look beyond its time', [event(5), event(300, { isJson: false })], { size: 1, at: 105 }],
  ] as const)('%s', (_, waiting, expected) => {
    expect(next(...waiting)).toEqual(expected)
  })

  test('takes each event once, in order, and late by no more than the time', () => {
    const waiting = fc.array(
      fc.record({
        dueAt: fc.nat(1_000),
        settings: fc.constantFrom(null, '{"a":1}'),
        isJson: fc.boolean(),
      }),
    )
    fc.assert(
      fc.property(waiting, fc.integer({ min: 1, max: 5 }), fc.nat(300), (some, max, within) => {
        const all = some.toSorted((a, b) => a.dueAt - b.dueAt)
        let left: readonly Waiting[] = all
        for (let batch = nextBatch(left, { max, within }); batch !== null; ) {
          const { events, at } = batch
          expect(events).toEqual(left.slice(0, events.length))
          expect(events.length).toBeLessThanOrEqual(max)
          expect(events.length === 1 || events.every((each) => each.isJson)).toBe(true)
          expect(new Set(events.map(({ settings }) => settings)).size).toBe(1)
          for (const { dueAt } of events)
            expect(at - dueAt).toSatisfy((late: number) => late >= 0 && late <= within)
          left = left.slice(events.length)
          batch = nextBatch(left, { max, within })
        }
        expect(left).toEqual([])
      }),
    )
  })
})
