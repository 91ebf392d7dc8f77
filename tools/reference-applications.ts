import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the reference applications are. */
export const applicationsFolder = fileURLToPath(new URL('../test/conform/applications/', import.meta.url))

/** The reference applications, by the names of their folders, and how each is started in its folder. */
export const referenceApplications = {
  hono: ['node', 'main.ts'],
  express: ['node', 'main.js'],
  python: ['python3', 'main.py'],
} as const

export type ReferenceApplication = keyof typeof referenceApplications

/** Their names. */
export const applicationNames = ['hono', 'express', 'python'] as const

/** A defect that `conform` has to find: a patch that puts it into an application, and what its head says. */
export interface SeededBug {
  readonly name: string
  readonly application: ReferenceApplication
  readonly patch: string
  readonly title: string
  /** What happens where it is not found. */
  readonly inProduction: string
  /** The case that finds it, like `K08`: FAIL, or WARN if that case is a SHOULD. */
  readonly caughtBy: string
  /** The one other case that may FAIL with it; null if none may. */
  readonly mayAlsoFail: string | null
}

/** The defects of an application, by name. @throws Error for a patch without a full head */
export function seededBugsOf(application: ReferenceApplication): readonly SeededBug[] {
  const folder = join(applicationsFolder, application, 'bugs')
  const files = globSync('*.patch', { cwd: folder }).toSorted()
  return files.map((file) => readBug(application, join(folder, file)))
}

function readBug(application: ReferenceApplication, patch: string): SeededBug {
  const [head = ''] = readFileSync(patch, 'utf8').split('\n\n')
  const said = new Map(
    head.split('\n').map((line) => [line.split(': ')[0], line.split(': ').slice(1).join(': ')]),
  )
  const [title, inProduction, caughtBy] = ['Bug', 'In production', 'Caught by'].map((word) => said.get(word))
  if (!title || !inProduction || !caughtBy)
    throw new Error(`${patch} does not begin with "Bug: ", "In production: " and "Caught by: "`)
  const mayAlsoFail = said.get('May also fail') ?? null
  return { name: basename(patch, '.patch'), application, patch, title, inProduction, caughtBy, mayAlsoFail }
}
