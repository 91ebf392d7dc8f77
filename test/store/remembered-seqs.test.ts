import { expect, test } from 'vitest'
import { RememberedSeqs } from '../../src/store/sqlite/remembered-seqs.ts'

test('a row is remembered once', () => {
  const seqs = new RememberedSeqs()
  seqs.add('del_1', 7)
  expect(seqs.take('del_2')).toBeUndefined()
  expect(seqs.take('del_1')).toBe(7)
  expect(seqs.take('del_1')).toBeUndefined()
})

test('the latest place of a row is remembered', () => {
  const seqs = new RememberedSeqs()
  seqs.add('del_1', 7)
  seqs.add('del_1', 8)
  expect(seqs.take('del_1')).toBe(8)
})

test.each([
  ['by the hundred, nearly all', 250, 230],
  ['far more than there is room for, none of them wrong', 40_000, 1_000],
])('rows are remembered %s', (_, count, least) => {
  const seqs = new RememberedSeqs()
  const ids = Array.from({ length: count }, () => `del_${crypto.randomUUID().replaceAll('-', '')}`)
  for (const [seq, id] of ids.entries()) seqs.add(id, seq)
  const remembered = ids.map((id, seq) => [seqs.take(id), seq]).filter(([taken]) => taken !== undefined)
  for (const [taken, seq] of remembered) expect(taken).toBe(seq)
  expect(remembered.length).toBeGreaterThanOrEqual(least)
})
