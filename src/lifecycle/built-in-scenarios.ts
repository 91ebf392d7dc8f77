import type { CatalogScenario, ScenarioSource } from './scenario-catalog.ts'
import { idOf, readCatalogScenario, ScenarioFileError, textOf } from './scenario-files.ts'
import { yamlFilesAt } from './yaml-files.ts'

/** The scenarios that ship. Files are found by their id, so each is read when it is first asked for. */
export class BuiltInScenarios implements ScenarioSource {
  readonly #files: ReadonlyMap<string, string>
  readonly #read = new Map<string, CatalogScenario>()

  constructor(folder: string) {
    this.#files = new Map(yamlFilesAt(folder).files.map((file) => [idOf(file), file]))
  }

  ids(): Iterable<string> {
    return this.#files.keys()
  }

  find(id: string): CatalogScenario | undefined {
    const known = this.#read.get(id)
    const file = this.#files.get(id)
    if (known !== undefined || file === undefined) return known
    const text = textOf(file)
    if (typeof text !== 'string') throw new ScenarioFileError([text])
    const result = readCatalogScenario(text, file, 'built-in')
    if ('problems' in result) throw new ScenarioFileError(result.problems)
    this.#read.set(id, result.found)
    return result.found
  }
}
