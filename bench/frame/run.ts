import { Bench } from './bench.ts'
import { watchOthers } from './others.ts'
import type { Outcome, Section } from './section.ts'

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
    const measured = await measuredIn(section, quick, say)
    return { section, ...measured, othersCores: othersCores() }
  } catch (error) {
    return { section, results: [], paceMs: [], othersCores: othersCores(), failure: String(error) }
  }
}

/** Once it is over, all that it has started has ended. */
async function measuredIn(
  section: Section,
  quick: boolean,
  say: (text: string) => void,
): Promise<Pick<Outcome, 'results' | 'paceMs'>> {
  await using bench = new Bench(quick, say)
  return { results: await section.run(bench), paceMs: bench.pace.ms }
}
