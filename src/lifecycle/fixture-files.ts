import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { type FixtureFile, type Known, readFixtureFile } from '../domain/fixture/fixture-file.ts'
import { shown } from '../domain/issue-words.ts'
import { didYouMean } from '../domain/nearest.ts'
import { fileText, tooLarge } from '../domain/text-limits.ts'
import { formatProblem, type SourceProblem } from '../domain/yaml-source.ts'

/** A fixture that can't be used. The message has a line `file:line:column: what is wrong` for each problem in a file. */
export class FixtureRefused extends Error {
  constructor(problems: readonly SourceProblem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.name = 'FixtureRefused'
  }
}

/** A fixture that cannot be read: there is none, or no file, or it is too large. */
export class FixtureUnreadable extends Error {
  override readonly name = 'FixtureUnreadable'
}

/** Reads fixtures and checks them whole.
 *  @param paths files, or names of fixtures that ship
 *  @param shipped the folder of those
 *  @throws FixtureRefused, FixtureUnreadable */
export function readFixtures(paths: readonly string[], shipped: string, known: Known): FixtureFile[] {
  return paths.map((path) => {
    const file = fileOf(path, shipped)
    if (statSync(file).size > fileText.bytes)
      throw new FixtureUnreadable(`the fixture ${shown(file)} ${tooLarge(fileText)}`)
    const read = readFixtureFile(readFileSync(file, 'utf8'), file, known)
    if ('problems' in read) throw new FixtureRefused(read.problems)
    return read
  })
}

function fileOf(path: string, shipped: string): string {
  if (existsSync(path)) {
    const stat = statSync(path)
    if (stat.isFile()) return path
    const what = stat.isDirectory() ? 'a folder; name a file in it' : 'no file that can be read'
    throw new FixtureUnreadable(`the fixture ${shown(path)} is ${what}`)
  }
  const names = existsSync(shipped) ? readdirSync(shipped).filter((name) => extname(name) === '.yaml') : []
  const own = names.find((name) => basename(name, '.yaml') === path)
  if (own !== undefined) return join(shipped, own)
  const known = names.map((name) => basename(name, '.yaml'))
  throw new FixtureUnreadable(
    `there is no fixture file ${shown(path)}, and none of that name ships; there are ${known.join(', ')}${didYouMean(path, known)}`,
  )
}
