import { expect, test } from 'vitest'
import { membersNamed } from '../../../src/conform/config/config.ts'

test.each([
  ['how often: give `probe.effects`', ['probe.effects']],
  ['give `probe` and `start`; give `probe`', ['start', 'probe']],
  ['the signature of `hmac-body` holds no time', []],
  ['it said `paid` before anything happened: see K01', []],
])('%s', (note, needs) => {
  expect(membersNamed(note)).toEqual(needs)
})
