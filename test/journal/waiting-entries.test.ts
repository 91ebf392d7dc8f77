import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../src/domain/journal-entry.ts'
import type { RawEntry } from '../../src/journal/tidied.ts'
import { WaitingEntries } from '../../src/journal/waiting-entries.ts'
import { type JournalBound, surplusOf } from '../../src/store/journal-bound.ts'
import { anEntry, aRawEntry } from '../store/factories.ts'
import { bytesOutsideOfHeap } from './outside-of-heap.ts'

const all = Number.POSITIVE_INFINITY

test.each([
  ['with a requestId', aRawEntry({ requestId: 'r-1' })],
  ['without a requestId', aRawEntry({ requestId: null })],
  ['with an empty requestId and body', aRawEntry({ requestId: '', body: '' })],
  ['of no operation and no client', aRawEntry({ operation: null, clientId: null })],
  [
    'with letters of more than one byte',
    aRawEntry({ path: '/é', body: '{"name":"日本 🎈"}', response: 'ß' }),
  ],
  ['with half a surrogate pair', aRawEntry({ requestId: '\ud83c', body: 'x\udf88', response: '\ud83c' })],
  ['with a pair whose halves stand in two texts', aRawEntry({ body: 'a\ud83c', response: '\udf88b' })],
  [
    'with a diagnosis and notes',
    aRawEntry({
      notes: ['one', '', 'three'],
      diagnosis: { cause: 'body.syntax', message: 'no', firstDifference: 3 },
    }),
  ],
  ['of other moments', aRawEntry({ wallAt: 1_764_154_800_123, at: -5, ms: 12.5, status: 503 })],
  ['longer than a block', aRawEntry({ body: 'x'.repeat(300_000) })],
  ['that was tidied already', anEntry({ headers: { host: 'here' } })],
])('an entry %s comes back as it came', (_, entry) => {
  const waiting = new WaitingEntries()
  for (let n = 0; n < 3; n++) waiting.add(entry, 1)
  expect(waiting.take(2, all)).toEqual([entry, entry])
  expect(waiting.take(2, all)).toEqual([entry])
})

test('entries are taken as they came, whatever is added, taken, passed over and forgotten meanwhile', () => {
  const clients = ['C1', 'C2', null]
  const entry = fc.record({
    // A few of the long ones fill a block, and half a surrogate pair can't be packed.
    body: fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('x'.repeat(20_000), '\ud83c'),
    ),
    clientId: fc.constantFrom(...clients),
    isTidied: fc.boolean(),
  })
  const act = fc.oneof(
    { weight: 8, arbitrary: fc.record({ does: fc.constant('add' as const), entry }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('take' as const), most: fc.nat({ max: 5 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('pass over' as const),
        keep: fc.record({ all: fc.nat({ max: 12 }), each: fc.nat({ max: 4 }) }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('forget' as const),
        clientId: fc.constantFrom('C1', 'C2', 'C3', undefined),
      }),
    },
  )
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      const waiting = new WaitingEntries()
      let model: (RawEntry | JournalEntry)[] = []
      // Of two who have as many, the one gives way who came first since none waited.
      let came: (string | null)[] = []
      for (const each of acts) {
        if (model.length === 0) came = []
        if (each.does === 'add') {
          const { isTidied, ...members } = each.entry
          if (!came.includes(members.clientId)) came.push(members.clientId)
          const added = isTidied ? anEntry(members) : aRawEntry(members)
          waiting.add(added, members.body.length)
          model.push(added)
        } else if (each.does === 'take')
          expect(waiting.take(each.most, all)).toEqual(model.splice(0, each.most))
        else if (each.does === 'forget') {
          waiting.forget(each.clientId)
          model = model.filter(({ clientId }) => each.clientId !== undefined && clientId !== each.clientId)
        } else {
          const before = model.length
          model = passedOver(model, came, each.keep)
          expect(waiting.passOver(each.keep)).toBe(before - model.length)
        }
        expect(waiting.length).toBe(model.length)
        expect(waiting.size).toBe(model.reduce((sum, { body }) => sum + body.length, 0))
      }
      expect(waiting.take(all, all)).toEqual(model)
    }),
    { numRuns: 200 },
  )
})

/** What is left when the oldest of those who have most have gone. */
function passedOver(
  entries: readonly (RawEntry | JournalEntry)[],
  clients: readonly (string | null)[],
  bound: JournalBound,
) {
  const counts = new Map(clients.map((clientId) => [clientId, 0]))
  for (const { clientId } of entries) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
  const surplus = surplusOf(counts, bound)
  return entries.filter(({ clientId }) => {
    const left = surplus.get(clientId) ?? 0
    surplus.set(clientId, left - 1)
    return left <= 0
  })
}

test('what came later than was asked for is not taken', () => {
  const waiting = new WaitingEntries()
  waiting.add(aRawEntry({ id: 'e1' }), 1)
  const upTo = waiting.last
  waiting.add(aRawEntry({ id: 'e2' }), 1)
  expect(waiting.take(10, upTo).map(({ id }) => id)).toEqual(['e1'])
  expect(waiting.take(10, upTo)).toEqual([])
  expect(waiting.length).toBe(1)
})

test.each([
  ['that can be packed', 'x'.repeat(5_000)],
  ['that cannot', '\ud83c'],
])('room is used again that was given back by entries %s', (_, body) => {
  const waiting = new WaitingEntries()
  const before = bytesOutsideOfHeap()
  for (let n = 0; n < 20_000; n++) {
    waiting.add(aRawEntry({ body }), 1)
    if (waiting.length > 50) waiting.take(1, all)
  }
  // Up to 100 MB have come and gone.
  expect(bytesOutsideOfHeap() - before).toBeLessThan(2_000_000)
  expect(waiting.length).toBe(50)
})
