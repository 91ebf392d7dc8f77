import { readScenarioFile } from '../../domain/scenario/compile-scenario.ts'
import { versionOf } from '../../domain/scenario/scenario.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { sentText, type TextLimit } from '../../domain/text/limits.ts'
import { formatProblem } from '../../domain/text/yaml-source.ts'
import type { Store } from '../../store/store.ts'
import type { Load } from '../world-loader.ts'
import type { CatalogScenario, ScenarioSource } from './catalog.ts'

/** The scenarios that came over the control API. They go before all others, and live as long as the database or
 *  until a reset. */
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

  /** What is wrong with texts, as with a scenario that comes; a line or more for each. */
  static problemsWith(texts: readonly { readonly id: string; readonly text: string }[]): string[] {
    return texts.map(({ id, text }) => read(id, text)).filter((result) => typeof result === 'string')
  }

  /** Reads those that the store has. One that this version no longer understands is left out, and told of. */
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

  /** Uses a scenario for coming orders. @throws invalid_input with a line `id:line:column: ...` for each problem */
  async put(id: string, text: string): Promise<CatalogScenario> {
    const result = read(id, text, sentText)
    if (typeof result === 'string') throw new EmulatorError('invalid_input', { problems: result })
    await this.#store.saveScenarioText(id, text)
    this.#byId.set(id, result)
    return result
  }

  /** Takes one back, so that what it stood before holds again. @returns whether it was there */
  async remove(id: string): Promise<boolean> {
    if (!this.#byId.has(id)) return false
    await this.#store.deleteScenarioText(id)
    return this.#byId.delete(id)
  }

  /** A reset has removed them from the store. */
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
