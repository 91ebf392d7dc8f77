import { Bench } from './bench.ts'
import { watchOthers } from './others.ts'
import type { Outcome, Result, Section } from './section.ts'

/** Runs sections one after the other, each with processes and files of its own. One that fails leaves the others be. */
export async function runSections(
  sections: readonly Section[],
  quick: boolean,
  say: (text: string) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const section of sections) {
    outcomes.push(await outcomeOf(section, quick, (text) => say(`${section.name}: ${text}`)))
  }
  return outcomes
}

async function outcomeOf(section: Section, quick: boolean, say: (text: string) => void): Promise<Outcome> {
  const othersCores = watchOthers()
  try {
    const results = await resultsOf(section, quick, say)
    return { section, results, othersCores: othersCores() }
  } catch (error) {
    return { section, results: [], othersCores: othersCores(), failure: String(error) }
  }
}

/** Once it is over, all that it has started has ended. */
async function resultsOf(section: Section, quick: boolean, say: (text: string) => void): Promise<Result[]> {
  await using bench = new Bench(quick, say)
  return await section.run(bench)
}
