import type { Chance } from './chance.ts'

/** A text in which, one time in two, some lines are wrong: gone, doubled, swapped, cut, or with another value. */
export function changedText(text: string, chance: Chance): string {
  if (chance.yes(0.5)) return text
  const lines = text.split('\n')
  for (let times = 1 + chance.below(3); times > 0; times -= 1) {
    const at = chance.below(lines.length)
    const line = lines[at] ?? ''
    const acts = [
      () => lines.splice(at, 1),
      () => lines.splice(at, 0, line),
      () => lines.splice(at, 1, lines[chance.below(lines.length)] ?? ''),
      () => lines.splice(at, 1, line.slice(0, chance.below(line.length + 1))),
      () => lines.splice(at, 1, ` ${line}`),
      () => lines.splice(at, 1, line.replace(/:.*/, `: ${chance.pick(oddScalars)}`)),
    ] as const
    chance.pick(acts)()
  }
  return lines.join('\n')
}

const oddScalars = [
  '',
  '-1',
  '9007199254740993',
  '1e400',
  '.inf',
  'null',
  '[]',
  '{}',
  '*x',
  '&x y',
  '!!binary aGk=',
  '"\\ud800"',
  '|',
  '"',
  '[[[[[[',
  '999999h',
  'x'.repeat(5_000),
  '{ __proto__: { polluted: true } }',
] as const
