import { inWords } from '../pace/pace.ts'
import type { Outcome, Section } from './section.ts'
import { markdownTable } from './table.ts'

const introduction = `# Results of the bench

Written by \`npm run bench\`; [README.md](README.md) says how to read it. Each section says when and where it was measured. Where other programs had more than a few tenths of a core, rates and ratios are worth little, and the CPU figures a little more.
`

/** The page with new results in place of those of the same sections; what was not measured stays as it was.
 *  @param before the page so far, or an empty text
 *  @param order all sections there are, as they are to stand; others are dropped */
export function pageWith(
  outcomes: readonly Outcome[],
  machine: string,
  before: string,
  order: readonly Section[],
): string {
  const blocks = new Map(blocksOf(before))
  for (const outcome of outcomes) blocks.set(outcome.section.name, blockOf(outcome, machine))
  return [introduction, ...order.flatMap(({ name }) => blocks.get(name) ?? [])].join('\n')
}

const blockOf = (outcome: Outcome, machine: string): string =>
  `## ${outcome.section.name}\n\n${machine}${others(outcome)}${pace(outcome)}.\n\n${markdownTable(outcome)}\n`

const others = ({ othersCores }: Outcome): string =>
  Number.isNaN(othersCores) ? '' : `; meanwhile other programs had ${othersCores.toFixed(1)} cores`

const pace = ({ paceMs }: Outcome): string => (paceMs.length === 0 ? '' : `; ${inWords(paceMs)}`)

/** The blocks of a page with the names of their sections. */
const blocksOf = (page: string): [name: string, block: string][] =>
  page
    .split(/^(?=## )/m)
    .slice(1)
    .map((block) => [block.slice(3, block.indexOf('\n')), `${block.trimEnd()}\n`])
