import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import {
  type FixtureFile,
  type Known,
  parseFixtureFile,
  readFixtureFile,
} from '../domain/fixture/fixture-file.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { didYouMean, shown } from '../domain/text/issue-words.ts'
import { fileText, tooLarge } from '../domain/text/limits.ts'
import { formatProblem, type SourceProblem } from '../domain/text/yaml-source.ts'
import { idOf, textOf } from './scenarios/built-in.ts'
import { yamlFilesAt } from './scenarios/yaml-files.ts'

/** Thrown for a fixture that cannot be used. The message has a line `file:line:column: problem` for each problem. */
export class FixtureRefused extends Error {
  constructor(problems: readonly SourceProblem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.name = 'FixtureRefused'
  }
}

/** Thrown for a fixture that cannot be read: it is missing, no file, or too large. */
export class FixtureUnreadable extends Error {
  override readonly name = 'FixtureUnreadable'
}

/** Reads fixtures and checks them completely.
 *  @param paths files, or names of built-in fixtures
 *  @param shipped the folder of built-in fixtures
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
    const what = stat.isDirectory() ? 'a folder; name a file in it' : 'not a readable file'
    throw new FixtureUnreadable(`the fixture ${shown(path)} is ${what}`)
  }
  const names = existsSync(shipped) ? readdirSync(shipped).filter((name) => extname(name) === '.yaml') : []
  const own = names.find((name) => basename(name, '.yaml') === path)
  if (own !== undefined) return join(shipped, own)
  const known = names.map((name) => basename(name, '.yaml'))
  throw new FixtureUnreadable(
    `there is no fixture file ${shown(path)}, and no built-in fixture with that name; built-in fixtures are ${known.join(', ')}${didYouMean(path, known)}`,
  )
}

/** A fixture that the emulator ships with. */
export interface ShippedFixture {
  readonly name: string
  readonly text: string
  readonly file: FixtureFile
}

/** The built-in fixtures by name. Each is read when it is first needed. */
export class ShippedFixtures {
  readonly #files: ReadonlyMap<string, string>
  readonly #read = new Map<string, ShippedFixture>()

  constructor(folder: string) {
    this.#files = new Map(yamlFilesAt(folder).files.map((file) => [idOf(file), file]))
  }

  all(): ShippedFixture[] {
    return [...this.#files.keys()].map((name) => this.get(name))
  }

  /** @throws fixture_unknown */
  get(name: string): ShippedFixture {
    const known = this.#read.get(name)
    if (known !== undefined) return known
    const path = this.#files.get(name)
    if (path === undefined)
      throw new EmulatorError('fixture_unknown', { name, hint: didYouMean(name, [...this.#files.keys()]) })
    const text = textOf(path)
    if (typeof text !== 'string') throw new FixtureRefused([text])
    const file = parseFixtureFile(text, `${name}.yaml`)
    if ('problems' in file) throw new FixtureRefused(file.problems)
    const fixture = { name, text, file }
    this.#read.set(name, fixture)
    return fixture
  }
}
