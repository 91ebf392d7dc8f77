import { readdirSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { PromiseId } from './promises.ts'
import type { StepText } from './story.ts'

/** A story in words, as in its file. */
export interface StoryInWords {
  /** Its name in reports. */
  readonly name: string
  /** The promise that it broke when it was found. */
  readonly promise: PromiseId
  /** A step is an act, or several at the same moment. */
  readonly acts: readonly StepText[]
  /** Beside how many stories like it, itself included, it is played; alone if left out. */
  readonly beside?: number | undefined
}

/** Stories: all YAML files in a folder, or paths of files and stories in words. */
export type StorySource = { readonly folder: string } | readonly (string | StoryInWords)[]

/** A story that is known by its name, and not read yet. */
export type ListedStory = { readonly name: string } & (
  | { readonly file: string }
  | { readonly file: null; readonly words: StoryInWords }
)

/** Names stories without reading their files.
 *  @throws RangeError for a folder that cannot be read, if there are none, and if two have the same name */
export function listedStories(source: StorySource): ListedStory[] {
  const listed =
    'folder' in source
      ? filesIn(source.folder).map((file) => ({ name: nameOf(file), file: join(source.folder, file) }))
      : namedIn(source)
  const names = listed.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new RangeError(`two stories have the name ${JSON.stringify(twice)}`)
  if (listed.length > 0) return listed
  throw new RangeError(
    'folder' in source
      ? `the folder ${JSON.stringify(source.folder)} contains no .yaml or .yml file`
      : 'no story is left to play',
  )
}

/** Names files without their folders, unless two in different folders have the same name. */
function namedIn(source: readonly (string | StoryInWords)[]): ListedStory[] {
  const short = (file: string) => nameOf(basename(file))
  const all = source.map((each) => (typeof each === 'string' ? short(each) : each.name))
  return source.map((each, index) => {
    if (typeof each !== 'string') return { name: each.name, file: null, words: each }
    const isAlone = all.every((name, other) => other === index || name !== short(each))
    return { name: isAlone ? short(each) : nameOf(each), file: each }
  })
}

/** The YAML files in a folder at any depth, by their paths in it. */
function filesIn(folder: string): string[] {
  try {
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder')
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const isYaml = (name: string) => ['.yaml', '.yml'].includes(extname(name).toLowerCase())
    const isFolder = (name: string) =>
      statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true
    return names.filter((name) => isYaml(name) && !isFolder(name)).toSorted()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RangeError(`cannot read the folder ${JSON.stringify(folder)}: ${reason}`)
  }
}

const nameOf = (file: string): string => file.slice(0, file.length - extname(file).length)
