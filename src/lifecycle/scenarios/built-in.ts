import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { readScenarioFile } from '../../domain/scenario/compile-scenario.ts'
import { versionOf } from '../../domain/scenario/scenario.ts'
import { fileText, tooLarge } from '../../domain/text/limits.ts'
import { formatProblem, type SourceProblem } from '../../domain/text/yaml-source.ts'
import type { CatalogScenario, ScenarioSource } from './catalog.ts'
import { yamlFilesAt } from './yaml-files.ts'

/** Thrown for scenario files that cannot be used. The message has a line `file:line:column: problem` for each
 *  problem. */
export class ScenarioFileError extends Error {
  constructor(problems: readonly SourceProblem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.name = 'ScenarioFileError'
  }
}

/** Returns the id of the scenario in a file. */
export const idOf = (file: string): string => basename(file, extname(file))

/** Finds the scenario files in a folder whose id an earlier file has. */
export function repeatedIds(files: readonly string[]): SourceProblem[] {
  const first = new Map<string, string>()
  return files.flatMap((file) => {
    const id = idOf(file)
    const other = first.get(id)
    if (other === undefined) {
      first.set(id, file)
      return []
    }
    const message = `${JSON.stringify(other)} already has the id ${JSON.stringify(id)}; give one of the two another id and file name`
    return [{ file, line: 1, column: 1, message }]
  })
}

/** The text of a file, or the reason why it cannot be read. */
export function textOf(file: string): string | SourceProblem {
  try {
    const stat = statSync(file)
    // A pipe would block the emulator, a device would never end.
    if (!stat.isFile()) return { file, line: 1, column: 1, message: 'is not a readable file' }
    if (stat.size > fileText.bytes) return { file, line: 1, column: 1, message: tooLarge(fileText) }
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { file, line: 1, column: 1, message: `cannot be read: ${reason}` }
  }
}

/** Parses the text of a scenario file into a scenario, or into all its problems. */
export function readCatalogScenario(
  text: string,
  file: string,
  from: 'built-in' | 'file',
): { found: CatalogScenario } | { problems: readonly SourceProblem[] } {
  const result = readScenarioFile(text, file, idOf(file))
  if ('problems' in result) return result
  const { scenario } = result
  return { found: { scenario, version: versionOf(scenario), text, from, file } }
}

/** The built-in scenarios by id. Each file is read when it is first needed. */
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
