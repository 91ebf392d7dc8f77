import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileText, tooLarge } from '../../domain/text-limits.ts'
import { GiveUp } from '../give-up.ts'

/** A file and what stands in it. */
export interface NamedFile {
  readonly file: string
  readonly text: string
}

/** The files that a user named: each file itself, and of a folder every YAML file in it, however deep.
 *  @throws GiveUp for what cannot be read, and for a folder without any */
export function namedFiles(paths: readonly string[]): NamedFile[] {
  const files = paths.flatMap((path) => {
    if (!isFolder(path)) return [path]
    const found = yamlFilesBelow(path)
    if (found.length === 0)
      throw new GiveUp(2, `error: the folder ${JSON.stringify(path)} has no YAML file in it`)
    return found
  })
  return [...new Set(files)].map((file) => ({ file, text: textOf(file) }))
}

function isFolder(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) throw new GiveUp(2, `error: there is no file or folder ${JSON.stringify(path)}`)
  return stat.isDirectory()
}

function yamlFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ['.yaml', '.yml'].includes(extname(name)) && !name.includes('node_modules'))
    .toSorted()
    .map((name) => join(folder, name))
}

function textOf(file: string): string {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw new Error('it is a pipe or a device')
    if (stat.size > fileText.bytes) throw new Error(`it ${tooLarge(fileText)}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new GiveUp(2, `error: the file ${JSON.stringify(file)} cannot be read: ${reason}`)
  }
}
