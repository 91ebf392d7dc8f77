// `npm run bench`: how near the built program comes to what the stack can do. README.md tells how to read it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Choice, chooseSections, parseChoice } from './frame/choice.ts'
import { isBusy, machineLine } from './frame/machine.ts'
import { pageWith } from './frame/results-page.ts'
import { runSections } from './frame/run.ts'
import { textTable } from './frame/table.ts'
import { allOk } from './frame/verdict.ts'
import { inWords, isUnsteady } from './pace/pace.ts'
import { sections } from './sections.ts'

const page = new URL('results.md', import.meta.url)

/** @returns the exit code */
async function bench(choice: Choice): Promise<number> {
  const chosen = chooseSections(sections, choice)
  const machine = machineLine(new Date())
  if (isBusy()) console.error('Something else keeps this machine busy: the results will be worse for it.')
  const outcomes = await runSections(chosen, choice.quick, (text) => console.error(text))
  console.log(`\n${machine}\n\n${textTable(outcomes)}`)
  for (const { section, othersCores, paceMs } of outcomes) {
    if (isUnsteady(paceMs))
      console.log(`\nThe machine was not steady during ${section.name}: ${inWords(paceMs)}.`)
    if (othersCores > 0.3)
      console.log(`\nOther programs had ${othersCores.toFixed(1)} cores during ${section.name}.`)
  }
  if (choice.record) {
    const before = existsSync(page) ? readFileSync(page, 'utf8') : ''
    writeFileSync(page, pageWith(outcomes, machine, before, sections))
  }
  return allOk(outcomes) ? 0 : 1
}

// So that what has been started and written is cleared away.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

try {
  process.exitCode = await bench(parseChoice(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
