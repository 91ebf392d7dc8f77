import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { type FixtureFile, type Known, readFixtureFile } from '../domain/fixture/fixture-file.ts'
import { didYouMean } from '../domain/nearest.ts'
import { fileText, tooLarge } from '../domain/text-limits.ts'
import { formatProblem, type SourceProblem } from '../domain/yaml-source.ts'

/** A fixture that can't be used. The message has a line `file:line:column: what is wrong` for each problem. */
export class FixtureRefused extends Error {
  constructor(problems: readonly SourceProblem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.name = 'FixtureRefused'
  }
}

/** Reads fixtures and checks them whole.
 *  @param paths files, or names of fixtures that ship
 *  @param shipped the folder of those
 *  @throws FixtureRefused */
export function readFixtures(paths: readonly string[], shipped: string, known: Known): FixtureFile[] {
  return paths.map((path) => {
    const file = fileOf(path, shipped)
    if (statSync(file).size > fileText.bytes) throw refused(file, tooLarge(fileText))
    const read = readFixtureFile(readFileSync(file, 'utf8'), file, known)
    if ('problems' in read) throw new FixtureRefused(read.problems)
    return read
  })
}

function fileOf(path: string, shipped: string): string {
  if (existsSync(path)) {
    const stat = statSync(path)
    if (stat.isFile()) return path
    throw refused(path, stat.isDirectory() ? 'is a folder; name a file of it' : 'is no file that can be read')
  }
  const names = existsSync(shipped) ? readdirSync(shipped).filter((name) => extname(name) === '.yaml') : []
  const own = names.find((name) => basename(name, '.yaml') === path)
  if (own !== undefined) return join(shipped, own)
  const known = names.map((name) => basename(name, '.yaml'))
  throw refused(path, `there is no such file, and no fixture of this name ships${didYouMean(path, known)}`)
}

const refused = (file: string, message: string) => new FixtureRefused([{ file, line: 1, column: 1, message }])
