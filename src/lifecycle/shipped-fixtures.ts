import { EmulatorError } from '../domain/errors.ts'
import { type FixtureFile, parseFixtureFile } from '../domain/fixture/fixture-file.ts'
import { didYouMean } from '../domain/nearest.ts'
import { FixtureRefused } from './fixture-files.ts'
import { idOf, textOf } from './scenario-files.ts'
import { yamlFilesAt } from './yaml-files.ts'

/** A fixture that ships. */
export interface ShippedFixture {
  readonly name: string
  /** As it was written. */
  readonly text: string
  readonly file: FixtureFile
}

/** The fixtures that ship, by the names of their files. Each is read when it is first asked for. */
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
