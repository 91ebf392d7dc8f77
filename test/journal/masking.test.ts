import { expect, test } from 'vitest'
import { KnownSecrets } from '../../src/domain/journal/known-secrets.ts'
import { keepCharacters, maskedEntry } from '../../src/journal/journal.ts'
import { aRawEntry } from '../store/factories.ts'

const secret = 'canary'.padEnd(43, '7')

/** A body as it is kept. */
function keptOf(body: string): string {
  const secrets = new KnownSecrets()
  secrets.add(secret, null)
  return maskedEntry(aRawEntry({ body }), (text) => secrets.mask(text, null)).body
}

test.each([
  ['behind others', keepCharacters - 20],
  ['behind many secrets, which are kept shorter than they came', keepCharacters + 1_000],
])('no half of a secret stands where a long body is cut: %s', (which, place) => {
  const others = which === 'behind others' ? '' : secret.repeat(100)
  const kept = keptOf(`${others.padEnd(place, 'x')}${secret}${'y'.repeat(keepCharacters)}`)
  expect(kept).not.toContain('canary')
  expect(kept).toMatch(/xx.*… \(\d+ characters in all\)$/)
})
