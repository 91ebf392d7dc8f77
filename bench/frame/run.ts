import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Bench } from './bench.ts'
import { machineLine, pageWith, tableOf } from './page.ts'
import type { Outcome, Section } from './section.ts'
import { allOk } from './verdict.ts'

const page = new URL('../results.md', import.meta.url)

/** Runs what the command line asks for. A whole run is written to `results.md`.
 *  @param heading of this command's part of the page
 *  @returns the exit code: 1 if a must is missed or a section fails, 2 for what the command line got wrong */
export async function runBench(
  heading: string,
  all: readonly Section[],
  words: readonly string[],
): Promise<number> {
  let choice: Choice
  try {
    choice = chosenBy(words, all)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 2
  }
  const begun = performance.now()
  const outcomes = await outcomesOf(choice.sections, choice.quick)
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  const text = `${machineLine(new Date())} The run took ${minutes} minutes.\n\n${tableOf(outcomes)}`
  console.log(`\n${text}`)
  if (choice.isWhole) {
    writeFileSync(page, pageWith(existsSync(page) ? readFileSync(page, 'utf8') : '', heading, text))
  }
  return allOk(outcomes) ? 0 : 1
}

interface Choice {
  readonly sections: readonly Section[]
  readonly quick: boolean
  readonly isWhole: boolean
}

/** @throws on an option or a section that does not exist */
export function chosenBy(words: readonly string[], all: readonly Section[]): Choice {
  const options = { quick: { type: 'boolean', default: false }, only: { type: 'string' } } as const
  const { quick, only } = parseArgs({ args: [...words], options }).values
  const names = only?.split(',')
  const unknown = names?.find((name) => !all.some((section) => section.name === name))
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name).join(', ')
    throw new Error(`There is no section "${unknown}". The sections are ${known}.`)
  }
  const isChosen = (section: Section) => names?.includes(section.name) ?? (!quick || section.quick === true)
  return { sections: all.filter(isChosen), quick, isWhole: !quick && names === undefined }
}

/** Runs sections one after the other. One that fails leaves the others alone. */
export async function outcomesOf(sections: readonly Section[], quick: boolean): Promise<Outcome[]> {
  using bench = new Bench(quick)
  const outcomes: Outcome[] = []
  for (const section of sections) {
    bench.say(section.name)
    try {
      outcomes.push({ section: section.name, figures: await section.run(bench) })
    } catch (error) {
      outcomes.push({ section: section.name, figures: [], failure: String(error) })
    }
    await bench.endProcesses()
  }
  return outcomes
}
