import { expect, test } from 'vitest'
import { parseChoice } from '../../../bench/peers/choice.ts'
import { contenders } from '../../../bench/peers/peers.ts'

const names = (...words: string[]) => parseChoice(words, contenders).peers.map(({ name }) => name)

test('the emulator takes part whoever is chosen', () => {
  const wiremock = ['WireMock, constant answer', 'WireMock, JSON Schema']
  expect(names('--only', 'wiremock,PRISM')).toEqual(['payment-order-emulator', 'Prism', ...wiremock])
})

test('a tool that is not there is refused with those that are', () => {
  expect(() => names('--only', 'prism,wiremok')).toThrow(
    'no wiremok to compare with; there are payment-order-emulator; bare program; Prism;',
  )
})

test.each(['0', '-1', '2.5', '100', 'many'])('%s rounds are refused', (rounds) => {
  expect(() => parseChoice([`--rounds=${rounds}`], contenders)).toThrow(
    '--rounds takes a number from 1 to 99',
  )
})

test.each([
  [[], true],
  [['--rounds', '2'], false],
  [['--only', 'prism'], false],
  [['--rounds', '2', '--record'], true],
])('%j is recorded: %s', (words, record) => {
  expect(parseChoice(words, contenders).record).toBe(record)
})
