import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { SourceProblem } from '../../domain/text/yaml-source.ts'

/** The entries at a path, for commands that read YAML files. */
export interface YamlFiles {
  /** The path itself if it is a file; of a folder, every `.yaml` and `.yml` file at any depth. */
  readonly files: string[]
  /** The found files that are symbolic links. */
  readonly links: string[]
  readonly folders: string[]
  /** Other entries, with the reason where it is not obvious from the name. */
  readonly ignored: string[]
  readonly problems: SourceProblem[]
}

/** Finds the YAML files at a path; none if the path does not exist. In a folder, names with a leading dot and
 *  `node_modules` are skipped, links to files are followed, and links to folders are not. */
export function yamlFilesAt(path: string): YamlFiles {
  const found: YamlFiles = { files: [], links: [], folders: [], ignored: [], problems: [] }
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) search(path, found)
    else if (stat !== undefined) addFile(path, lstatSync(path), found)
  } catch (error) {
    found.problems.push(unreadable(path, error))
  }
  return found
}

function search(folder: string, found: YamlFiles): void {
  found.folders.push(folder)
  for (const entry of entriesOf(folder, found)) {
    const { name } = entry
    if (name.startsWith('.') || name === 'node_modules') continue
    const path = join(folder, name)
    const deadEnd = entry.isSymbolicLink() ? deadEndOf(path) : null
    if (entry.isDirectory()) search(path, found)
    else if (deadEnd !== null) found.ignored.push(`${path} (${deadEnd})`)
    else if (['.yaml', '.yml'].includes(extname(name).toLowerCase())) addFile(path, entry, found)
    else found.ignored.push(path)
  }
}

function entriesOf(folder: string, { problems }: YamlFiles): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    problems.push(unreadable(folder, error))
    return []
  }
}

function addFile(path: string, entry: Dirent | Stats, { files, links }: YamlFiles): void {
  files.push(path)
  if (entry.isSymbolicLink()) links.push(path)
}

/** The reason why a link in a folder is not followed; null if it leads to a file. */
function deadEndOf(link: string): string | null {
  try {
    const stat = statSync(link, { throwIfNoEntry: false })
    if (stat === undefined) return 'a link without a target'
    return stat.isDirectory() ? 'a link to a folder' : null
  } catch (error) {
    return `a link that cannot be followed: ${reasonOf(error)}`
  }
}

const unreadable = (file: string, error: unknown): SourceProblem => ({
  file,
  line: 1,
  column: 1,
  message: `cannot be read: ${reasonOf(error)}`,
})

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
