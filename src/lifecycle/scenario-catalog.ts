import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { EmulatorError } from '../domain/errors.ts'
import { nearest } from '../domain/nearest.ts'
import { type Scenario, versionOf } from '../domain/scenario/scenario.ts'
import { readScenarioFile } from '../domain/scenario/scenario-file.ts'
import { formatProblem, type SourceProblem } from '../domain/yaml-source.ts'

/** A scenario that can be chosen, under the hash of its content. */
export interface CatalogScenario {
  readonly scenario: Scenario
  readonly version: string
  /** Where it was read from. */
  readonly file: string
}

/** A scenario file that can't be used. The message has a line `file:line:column: what is wrong` for each problem. */
export class ScenarioFileError extends Error {
  constructor(problems: readonly SourceProblem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.name = 'ScenarioFileError'
  }
}

/** The scenarios that can be chosen by id. The id is the file's name, so a built-in file is read when it is first
 *  asked for; files a user adds are read and checked at once. */
export class ScenarioCatalog {
  readonly #files = new Map<string, string>()
  readonly #read = new Map<string, CatalogScenario>()

  /** @param builtIn the folder of the scenarios that ship
   *  @param added files and folders; what they define replaces a built-in of the same id
   *  @throws ScenarioFileError if an added file is wrong */
  constructor(builtIn: string, added: readonly string[] = []) {
    for (const file of filesOf(builtIn)) this.#files.set(idOf(file), file)
    for (const file of added.flatMap(filesOf)) {
      const id = idOf(file)
      this.#files.set(id, file)
      this.#read.set(id, read(file))
    }
  }

  ids(): string[] {
    return [...this.#files.keys()].toSorted()
  }

  find(id: string): CatalogScenario | undefined {
    const known = this.#read.get(id)
    if (known !== undefined) return known
    const file = this.#files.get(id)
    if (file === undefined) return undefined
    const scenario = read(file)
    this.#read.set(id, scenario)
    return scenario
  }

  /** @throws scenario_unknown, with the nearest id */
  get(id: string): CatalogScenario {
    const found = this.find(id)
    if (found !== undefined) return found
    const near = this.nearest(id)
    throw new EmulatorError('scenario_unknown', {
      id,
      hint: near === undefined ? '' : ` Did you mean "${near}"?`,
    })
  }

  /** The id that a mistaken one probably meant. */
  nearest(id: string): string | undefined {
    return nearest(id, this.ids())
  }
}

function filesOf(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined)
    throw new ScenarioFileError([{ file: path, line: 1, column: 1, message: 'there is no such file' }])
  if (!stat.isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => ['.yaml', '.yml'].includes(extname(name)))
  return names.toSorted().map((name) => join(path, name))
}

const idOf = (file: string) => basename(file, extname(file))

function read(file: string): CatalogScenario {
  const result = readScenarioFile(readFileSync(file, 'utf8'), file, idOf(file))
  if ('problems' in result) throw new ScenarioFileError(result.problems)
  return { scenario: result.scenario, version: versionOf(result.scenario), file }
}
