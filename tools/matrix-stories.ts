// Puts explore to the proof: each broken application that passes all cases of conform is searched for ten minutes at
// most, or, with --correct, each correct one for 10,000 stories, and what came of it is written as a table into
// test/conform/matrix/matrix.md. `npm run matrix:stories -- --minutes 1 --bugs signature`

import { parseArgs } from 'node:util'
import { eachOf } from '../src/conform/stage/waiting.ts'
import {
  actsIn,
  type Explored,
  explored,
  findIn,
  likeItsHead,
  mistakesInAll,
  mistakesInCorrect,
  mistakesInSearch,
  type Outcome,
  percent,
  reachedIn,
  wordsOf,
} from '../test/conform/matrix/support/explored.ts'
import {
  allStoryBugs,
  applicationNames,
  providerVariants,
  type StoryBug,
  slowVariants,
} from '../test/conform/matrix/support/references.ts'
import { type Chosen, nameOf } from '../test/conform/matrix/support/running-application.ts'
import { exitOnSignals, printEnd, tableOf, writeTable, writtenRows } from './matrix/page.ts'

const { values } = parseArgs({
  options: {
    /** The longest search in a broken application. */
    minutes: { type: 'string', default: '10' },
    /** Only bugs whose names contain that; the others keep their rows. */
    bugs: { type: 'string' },
    /** Searches the correct applications instead. */
    correct: { type: 'boolean', default: false },
    /** The number of stories in each correct application. */
    count: { type: 'string', default: '10000' },
    /** Only the correct application of that name, or those whose names contain it; the others keep their rows. */
    applications: { type: 'string' },
    /** Repeats a search; each has its own if left out. */
    seed: { type: 'string' },
    /** How many applications are searched beside each other. The times are those of one that has two cores. */
    parallel: { type: 'string', default: '1' },
  },
})

const tableOfBroken = 'npm run matrix:stories'
const tableOfCorrect = 'npm run matrix:stories for correct applications'

exitOnSignals()

const { seed } = values
const mistakes = values.correct ? await searchCorrect() : await searchBroken()
console.log(mistakes === 0 ? 'All as it should be.' : `Not as it should be: ${mistakes}.`)
process.exitCode = mistakes === 0 ? 0 : 1

/** Searches the broken applications.
 *  @returns the number of mistakes */
async function searchBroken(): Promise<number> {
  const { bugs: part } = values
  const bugs = allStoryBugs().filter(({ name }) => part === undefined || name.includes(part))
  const options = { timeMs: 60_000 * Number(values.minutes), stopAtFirst: true, seed }
  const searches = await searchAll(
    bugs.map((storyBug) => ({ application: storyBug.application, storyBug })),
    options,
    (report) => mistakesInSearch(report),
  )
  const rows = brokenRows(searches.ended)
  const table = brokenTable(rows)
  console.log(`\n${table}\n`)
  writeTable(tableOfBroken, table)
  const wrong = mistakesInAll(rows.map(outcomeOf))
  for (const line of wrong) console.log(`WRONG ${line}`)
  return searches.wrong + wrong.length
}

/** Searches the correct applications.
 *  @returns the number of mistakes */
async function searchCorrect(): Promise<number> {
  const { applications: part } = values
  const count = Number(values.count)
  const all: readonly Chosen[] = [
    ...applicationNames.map((application) => ({ application })),
    ...slowVariants().map((slow) => ({ application: slow.application, slow })),
    ...providerVariants().map((adapted) => ({ application: adapted.application, adapted })),
  ]
  const named = all.filter((each) => nameOf(each) === part)
  const chosen =
    named.length > 0 ? named : all.filter((each) => part === undefined || nameOf(each).includes(part))
  const options = { timeMs: Number.POSITIVE_INFINITY, stories: count, seed }
  const searches = await searchAll(chosen, options, (report) => mistakesInCorrect(report, count))
  const table = correctTable(searches.ended)
  console.log(`\n${table}\n`)
  writeTable(tableOfCorrect, table)
  return searches.wrong
}

type Ended<C extends Chosen> = C & Explored

/** Searches applications, and prints how each search ended.
 *  @returns the searches that ended, and the number of applications with a mistake */
async function searchAll<C extends Chosen>(
  all: readonly C[],
  options: Parameters<typeof explored>[1],
  mistakesIn: (report: Explored['report']) => string[],
): Promise<{ ended: Ended<C>[]; wrong: number }> {
  let wrong = 0
  const searches = await eachOf(
    all,
    async (chosen): Promise<Ended<C>[]> => {
      const result = await explored(chosen, options).catch((error: unknown) => String(error))
      if (typeof result === 'string') {
        wrong += 1
        printEnd(nameOf(chosen), [result], '')
        return []
      }
      const { report, log } = result
      const mistakes = mistakesIn(report)
      wrong += mistakes.length === 0 ? 0 : 1
      printEnd(`${nameOf(chosen)}: ${summaryOf(report)}`, mistakes, log)
      return [{ ...chosen, ...result }]
    },
    Number(values.parallel),
  )
  return { ended: searches.flat(), wrong }
}

function summaryOf(report: Explored['report']): string {
  const { stories, ms, seed, found } = report
  const finds = found.map((find) => ` · ${find.promise}: ${wordsOf(find)}`)
  return `${stories} stories, ${Math.round(ms / 1000)} s, seed ${seed}${finds.join('')}`
}

/** A row for each broken application. Those that were not searched this time keep theirs. */
function brokenRows(searches: readonly Ended<Chosen & { readonly storyBug: StoryBug }>[]) {
  const rows = writtenRows(tableOfBroken)
  for (const search of searches) rows.set(nameOf(search), brokenRow(search))
  return allStoryBugs()
    .map((storyBug) => rows.get(nameOf({ application: storyBug.application, storyBug })))
    .filter((row) => row !== undefined)
}

function brokenRow(search: Ended<Chosen & { readonly storyBug: StoryBug }>): readonly string[] {
  const { report, storyBug } = search
  const find = findIn(report)
  return [
    nameOf(search),
    ...(find === null
      ? ['nothing', '', '', '']
      : [find.promise, wordsOf(find), String(actsIn(find)), likeItsHead(find, storyBug)]),
    String(Math.round(report.ms / 1000)),
    String(report.stories),
    find === null ? '' : `${find.repeats.broke} of ${find.repeats.of}`,
  ]
}

/** How the search of a row ended. */
function outcomeOf([, promise, , acts, , , , repeats = '']: readonly string[]): Outcome {
  return promise === 'nothing' ? null : { acts: Number(acts), repeats: Number.parseInt(repeats, 10) }
}

/** The rows, and what all searches have reached together. */
function brokenTable(rows: readonly (readonly string[])[]): string {
  const reached = reachedIn(rows.map(outcomeOf))
  const all = [`**found ${percent(reached.share)}**`, '', `median ${reached.acts ?? '-'}`, '', '', '']
  return tableOf([
    ['application', 'breaks', 'by', 'acts', 'like its head', 's', 'stories', 'repeats'],
    ['---', '---', '---', '--:', '---', '--:', '--:', '--:'],
    ...rows,
    [`all ${rows.length}`, ...all, reached.repeats === null ? '' : `at least ${reached.repeats}`],
  ])
}

/** A row for each correct application. Those that were not searched this time keep theirs. */
function correctTable(searches: readonly Ended<Chosen>[]): string {
  const rows = new Map([
    ...writtenRows(tableOfCorrect),
    ...searches.map((search) => correctRow(search)).map((cells) => [cells[0] ?? '', cells] as const),
  ])
  return tableOf([
    ['application', 'stories', 'found', 'broke once, and not again', 'min', 'stories a minute'],
    ['---', '--:', '--:', '--:', '--:', '--:'],
    ...rows.values(),
  ])
}

function correctRow(search: Ended<Chosen>): readonly string[] {
  const { stories, found, unrepeated, ms } = search.report
  const minutes = ms / 60_000
  const figures = [stories, found.length, unrepeated, Math.round(minutes), Math.round(stories / minutes)]
  return [`**${nameOf(search)}**`, ...figures.map(String)]
}
