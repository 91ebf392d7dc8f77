import { readScenarioFile } from '../../domain/scenario/compile-scenario.ts'
import { versionOf } from '../../domain/scenario/scenario.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { sentText, type TextLimit } from '../../domain/text/limits.ts'
import { formatProblem } from '../../domain/text/yaml-source.ts'
import type { Store } from '../../store/store.ts'
import type { Load } from '../world-loader.ts'
import type { CatalogScenario, ScenarioSource } from './catalog.ts'

/** The scenarios uploaded over the control API. They take precedence over all others, and are stored until a reset. */
export class UploadedScenarios implements ScenarioSource {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  readonly #byId = new Map<string, CatalogScenario>()

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  ids(): Iterable<string> {
    return this.#byId.keys()
  }

  find(id: string): CatalogScenario | undefined {
    return this.#byId.get(id)
  }

  /** The problems of scenario texts, as an upload would report them; one or more lines each. */
  static problemsWith(texts: readonly { readonly id: string; readonly text: string }[]): string[] {
    return texts.map(({ id, text }) => read(id, text)).filter((result) => typeof result === 'string')
  }

  /** Loads stored scenarios. A scenario that this version cannot read is left out and reported. */
  readonly load: Load = async () => {
    const kept = (await this.#store.scenarioTexts()).map(({ id, text }) => [id, read(id, text)] as const)
    return () => {
      this.#byId.clear()
      for (const [id, result] of kept) {
        if (typeof result === 'string') this.#onError(new Error(result))
        else this.#byId.set(id, result)
      }
    }
  }

  /** Adds a scenario, or replaces it for coming orders.
   *  @throws invalid_input with a line `id:line:column: ...` for each problem */
  async put(id: string, text: string): Promise<CatalogScenario> {
    const result = read(id, text, sentText)
    if (typeof result === 'string') throw new EmulatorError('invalid_input', { problems: result })
    await this.#store.saveScenarioText(id, text)
    this.#byId.set(id, result)
    return result
  }

  /** Removes an uploaded scenario, so that one of the same id from a file holds again.
   *  @returns whether it existed */
  async remove(id: string): Promise<boolean> {
    if (!this.#byId.has(id)) return false
    await this.#store.deleteScenarioText(id)
    return this.#byId.delete(id)
  }

  /** Forgets all uploads after a reset removed them from the store. */
  forgetAll(): void {
    this.#byId.clear()
  }
}

function read(id: string, text: string, limit?: TextLimit): CatalogScenario | string {
  const result = readScenarioFile(text, id, id, limit)
  if ('problems' in result) return result.problems.map(formatProblem).join('\n')
  const { scenario } = result
  return { scenario, version: versionOf(scenario), text, from: 'put', file: null }
}
