import { describe, expect, test } from 'vitest'
import { piecesOf, visible } from '../../../src/pages/dashboard/requests/diagnosis-card.tsx'

/** Pieces as one text, what differs in brackets. */
const shown = (pieces: ReturnType<typeof piecesOf>[number]) =>
  pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('')

describe('two strings part', () => {
  test.each([
    ['abc', 'abd', 'ab[c]', 'ab[d]', 'at the end'],
    ['10.00&r', '10&r', '10[.00]&r', '10[]&r', 'where one has nothing'],
    ['', 'x', '[]', '[x]', 'where one is empty'],
    ['aaa', 'aa', 'aa[a]', 'aa[]', 'in repeated letters, without counting one twice'],
    ['same', 'same', 'same[]', 'same[]', 'nowhere'],
    ['😀', '😁', '[😀]', '[😁]', 'between whole characters, never within one'],
  ])('%s and %s: %s, %s (%s)', (wanted, signed, wantedShown, signedShown) => {
    expect(piecesOf(wanted, signed).map(shown)).toEqual([wantedShown, signedShown])
  })
})

test.each([
  [' ', '␣'],
  ['\n', '␊'],
  ['\u00a0', '⍽'],
  ['\u200b', '‹U+200B›'],
  ['\u202e', '‹U+202E›'],
  ['\u0301', '‹U+0301›'],
  ['\u0000', '‹U+0000›'],
])('%j, which nobody could see, is shown as %s', (character, sign) => {
  expect(visible(character)?.sign).toBe(sign)
})

test.each(['a', '~', 'é', '日', '€', '😀'])('%s is shown as it is', (character) => {
  expect(visible(character)).toBeNull()
})
