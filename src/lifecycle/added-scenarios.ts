import { existsSync } from 'node:fs'
import type { ScenarioNews } from '../domain/scenario/scenario-news.ts'
import type { SourceProblem } from '../domain/yaml-source.ts'
import type { CatalogScenario, ScenarioSource } from './scenario-catalog.ts'
import { idOf, readCatalogScenario, repeatedIds, ScenarioFileError, textOf } from './scenario-files.ts'
import { yamlFilesAt } from './yaml-files.ts'

/** The added files as they are at one moment; a problem stands for what cannot be read. */
export type Snapshot = ReadonlyMap<string, string | SourceProblem>

interface AddedFile {
  readonly text: string | SourceProblem
  /** The last version that was right. */
  readonly good: CatalogScenario | null
  readonly problems: readonly SourceProblem[]
}

/** The scenarios that a user has added (`--scenarios`). If several paths have a file with the same
 *  id, the last path counts; within one path that is a mistake. */
export class AddedScenarios implements ScenarioSource {
  readonly #paths: readonly string[]
  #files: ReadonlyMap<string, AddedFile> = new Map()
  #byId: ReadonlyMap<string, AddedFile> = new Map()

  /** @throws ScenarioFileError with everything that is wrong in all of them */
  constructor(paths: readonly string[]) {
    this.#paths = paths
    const missing = paths.filter((path) => !existsSync(path)).map(noSuchFile)
    const problems = [...missing, ...this.update(this.snapshot()).flatMap((news) => news.problems)]
    if (problems.length > 0) throw new ScenarioFileError(problems)
  }

  ids(): Iterable<string> {
    return this.#byId.keys()
  }

  find(id: string): CatalogScenario | undefined {
    return this.#byId.get(id)?.good ?? undefined
  }

  /** What is wrong with the file of a scenario as it is now; the scenario in use is an older version then. */
  problemsWith(id: string): readonly SourceProblem[] {
    return this.#byId.get(id)?.problems ?? []
  }

  /** What is wrong with the files as they are now, and the ids that they would have. */
  problems(): readonly (SourceProblem & { readonly id: string })[] {
    return [...this.#files].flatMap(([file, { problems }]) =>
      problems.map((problem) => ({ ...problem, id: idOf(file) })),
    )
  }

  /** Reads every file that there is now. */
  snapshot(): Snapshot {
    const now = new Map<string, string | SourceProblem>()
    for (const { files, problems } of this.#paths.map(yamlFilesAt)) {
      for (const file of files) now.set(file, textOf(file))
      for (const problem of [...problems, ...repeatedIds(files)]) now.set(problem.file, problem)
    }
    return now
  }

  /** Takes the files as they are now: what is right is used from now on, what is broken keeps its last good version,
   *  what is gone is gone. Answers what is new. */
  update(now: Snapshot): ScenarioNews[] {
    const before = this.#files
    const removed = [...before.keys()].filter((file) => !now.has(file)).map((file) => newsOf(file, 'removed'))
    const news: ScenarioNews[] = []
    const files = new Map<string, AddedFile>()
    for (const [file, text] of now) {
      const known = before.get(file)
      const next = known !== undefined && sameText(known.text, text) ? known : judged(file, text, known)
      files.set(file, next)
      if (next === known) continue
      if (next.problems.length > 0) news.push(newsOf(file, 'broken', next.problems))
      else news.push(newsOf(file, known === undefined ? 'added' : 'changed'))
    }
    this.#files = files
    this.#byId = new Map(
      [...files].flatMap(([file, added]) => (added.good === null ? [] : [[idOf(file), added]])),
    )
    return [...removed, ...news]
  }
}

/** Whether a file has stayed as it was. */
export function sameText(
  a: string | SourceProblem | undefined,
  b: string | SourceProblem | undefined,
): boolean {
  return typeof a === 'object' && typeof b === 'object' ? a.message === b.message : a === b
}

function judged(file: string, text: string | SourceProblem, before: AddedFile | undefined): AddedFile {
  const result = typeof text === 'string' ? readCatalogScenario(text, file, 'file') : { problems: [text] }
  if ('found' in result) return { text, good: result.found, problems: [] }
  return { text, good: before?.good ?? null, problems: result.problems }
}

function newsOf(
  file: string,
  change: ScenarioNews['change'],
  problems: readonly SourceProblem[] = [],
): ScenarioNews {
  return { id: idOf(file), file, change, problems }
}

const noSuchFile = (file: string): SourceProblem => ({
  file,
  line: 1,
  column: 1,
  message: 'there is no such file',
})
