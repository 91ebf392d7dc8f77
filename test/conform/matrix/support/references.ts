import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { CaseId, StoryInWords } from '../../../../src/conform/index.ts'
import { parseStory } from '../../../../src/conform/stories/parse-story.ts'
import { toStepTexts } from '../../../../src/conform/stories/story.ts'

/** Where the reference applications are. */
export const applicationsFolder = fileURLToPath(new URL('../../applications/', import.meta.url))

/** The reference applications, by their folders, and what starts each. */
export const starts = {
  hono: [process.execPath, '--disable-warning=ExperimentalWarning', 'main.ts'],
  express: [process.execPath, 'main.js'],
  python: ['python3', 'main.py'],
} as const

export type ApplicationName = keyof typeof starts

export const applicationNames: readonly ApplicationName[] = ['hono', 'express', 'python']

/** Another correct application: a patch on a reference application. */
export interface Variant {
  readonly application: ApplicationName
  /** The patch's file, without its ending: `express-queue`. */
  readonly name: string
  readonly patch: string
}

/** The applications that were made slow, by name. */
export const slowVariants = (): readonly Variant[] => variantsIn('slow')

/** A correct application of a provider whose settings file is in `docs/settings/`. */
export interface ProviderVariant extends Variant {
  /** The name of that file, without its ending. */
  readonly provider: string
}

/** The applications of other providers, by name. */
export const providerVariants = (): readonly ProviderVariant[] =>
  variantsIn('providers').map((each) => ({
    ...each,
    provider: each.name.slice(`${each.application}-`.length),
  }))

/** @throws Error for a patch that is not named after an application */
function variantsIn(name: string): readonly Variant[] {
  const folder = join(applicationsFolder, name)
  return globSync('*.patch', { cwd: folder })
    .toSorted()
    .map((file) => {
      const name = basename(file, '.patch')
      const application = applicationNames.find((each) => name.startsWith(`${each}-`))
      if (application === undefined) throw new Error(`${file} begins with the name of no application`)
      return { application, name, patch: join(folder, file) }
    })
}

/** A defect that is put into a reference application: a patch, and what its head says. */
interface Defect {
  readonly application: ApplicationName
  /** The patch's file, without its ending. */
  readonly name: string
  readonly patch: string
  readonly title: string
}

/** A defect that a case of conform shows. */
export interface Bug extends Defect {
  /** The case that is meant for it. */
  readonly caughtBy: CaseId
  /** Other cases that it fails as well, where it cannot be otherwise. */
  readonly mayAlsoFail: readonly CaseId[]
}

/** A defect that no case of conform shows, because it takes a combination of acts. */
export interface StoryBug extends Defect {
  /** The fewest acts that are known to show it, and the promise that it then breaks. It has the name of the patch. */
  readonly story: StoryInWords
}

/** The bugs of an application, by name. @throws Error for a patch without a full head */
export const bugsOf = (application: ApplicationName): readonly Bug[] =>
  patchesIn(application, 'bugs').map((patch) => readBug(application, patch))

/** All bugs there are. */
export const allBugs = (): readonly Bug[] => applicationNames.flatMap(bugsOf)

/** The bugs of an application that explore has to find, by name. @throws Error for a patch without a full head */
export const storyBugsOf = (application: ApplicationName): readonly StoryBug[] =>
  patchesIn(application, 'stories').map((patch) => readStoryBug(application, patch))

/** All bugs that explore has to find. */
export const allStoryBugs = (): readonly StoryBug[] => applicationNames.flatMap(storyBugsOf)

function patchesIn(application: ApplicationName, name: string): string[] {
  const folder = join(applicationsFolder, application, name)
  return globSync('*.patch', { cwd: folder })
    .toSorted()
    .map((file) => join(folder, file))
}

function readBug(application: ApplicationName, patch: string): Bug {
  const said = headOf(patch)
  const [caughtBy] = casesIn(said('Caught by'))
  const title = said('Bug')
  if (title === '' || caughtBy === undefined)
    throw new Error(`${patch} does not begin with "Bug: " and "Caught by: K01"`)
  const mayAlsoFail = casesIn(said('May also fail'))
  return { application, name: basename(patch, '.patch'), patch, title, caughtBy, mayAlsoFail }
}

function readStoryBug(application: ApplicationName, patch: string): StoryBug {
  const said = headOf(patch)
  const [title, name, beside] = [said('Bug'), basename(patch, '.patch'), said('Beside')]
  const read = parseStory({
    promise: said('Breaks'),
    acts: parse(said('Story')),
    ...(beside !== '' && { beside: Number(beside) }),
  })
  if ('problems' in read) {
    const lines = read.problems.map(({ path, message }) => `\n- ${path.join('.')}: ${message}`)
    throw new Error(`The head of ${patch} is wrong.${lines.join('')}`)
  }
  if (title === '') throw new Error(`${patch} does not begin with "Bug: "`)
  const story = { name, promise: read.promise, acts: toStepTexts(read.story), beside: read.beside }
  return { application, name, patch, title, story }
}

/** Returns a function for what follows a word in the head of a patch; an empty text if the head has no such line. */
function headOf(patch: string): (word: string) => string {
  const [head = ''] = readFileSync(patch, 'utf8').split('\n\n')
  const lines = head.split('\n')
  return (word) => lines.find((line) => line.startsWith(`${word}: `))?.slice(word.length + 2) ?? ''
}

const casesIn = (text: string): CaseId[] =>
  Array.from(text.matchAll(/\bK\d\d\b/g), ([id]) => id).filter(isCaseId)

const isCaseId = (text: string): text is CaseId => /^K\d\d$/.test(text)
