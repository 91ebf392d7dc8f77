import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CaseId } from '../../../../src/conform/index.ts'

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
export interface Bug {
  readonly application: ApplicationName
  /** The patch's file, without its ending. */
  readonly name: string
  readonly patch: string
  readonly title: string
  /** The case that is meant for it. */
  readonly caughtBy: CaseId
  /** Other cases that it fails as well, where it cannot be otherwise. */
  readonly mayAlsoFail: readonly CaseId[]
}

/** The bugs of an application, by name. @throws Error for a patch without a full head */
export function bugsOf(application: ApplicationName): readonly Bug[] {
  const folder = join(applicationsFolder, application, 'bugs')
  return globSync('*.patch', { cwd: folder })
    .toSorted()
    .map((file) => readBug(application, join(folder, file)))
}

/** All bugs there are. */
export const allBugs = (): readonly Bug[] => applicationNames.flatMap(bugsOf)

function readBug(application: ApplicationName, patch: string): Bug {
  const [head = ''] = readFileSync(patch, 'utf8').split('\n\n')
  const said = (word: string): string =>
    head
      .split('\n')
      .find((line) => line.startsWith(`${word}: `))
      ?.slice(word.length + 2) ?? ''
  const [caughtBy] = casesIn(said('Caught by'))
  const title = said('Bug')
  if (title === '' || caughtBy === undefined)
    throw new Error(`${patch} does not begin with "Bug: " and "Caught by: K01"`)
  const mayAlsoFail = casesIn(said('May also fail'))
  return { application, name: basename(patch, '.patch'), patch, title, caughtBy, mayAlsoFail }
}

const casesIn = (text: string): CaseId[] =>
  Array.from(text.matchAll(/\bK\d\d\b/g), ([id]) => id).filter(isCaseId)

const isCaseId = (text: string): text is CaseId => /^K\d\d$/.test(text)
