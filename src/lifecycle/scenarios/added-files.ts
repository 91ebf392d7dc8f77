import { existsSync, type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { ScenarioNews } from '../../domain/scenario/scenario.ts'
import type { SourceProblem } from '../../domain/text/yaml-source.ts'
import { soon } from '../../time/timers.ts'
import { idOf, readCatalogScenario, repeatedIds, ScenarioFileError, textOf } from './built-in.ts'
import type { CatalogScenario, ScenarioSource } from './catalog.ts'
import { yamlFilesAt } from './yaml-files.ts'

/** Files are taken as they are once they have stayed the same for so long: editors write in several moves. */
const settledAfterMs = 80

/** Follows the added scenarios while the emulator runs. An event only says that something may have changed; what has,
 *  follows from reading all files twice, a moment apart, with the same result. So it does not matter whether an editor
 *  writes into a file or puts a new one in its place.
 *
 *  Does not keep the process alive. What cannot be watched is told and left alone. */
export class ScenarioWatch {
  readonly #paths: readonly string[]
  readonly #added: AddedScenarios
  readonly #onNews: (news: ScenarioNews) => void
  readonly #watchers = new Map<string, Watched>()
  readonly #unwatched = new Set<string>()
  #last: Snapshot | null = null
  /** Calls the coming look off; null while none is coming. */
  #cancel: (() => void) | null = null
  #stopped = false

  constructor(paths: readonly string[], added: AddedScenarios, onNews: (news: ScenarioNews) => void) {
    this.#paths = paths.map((path) => resolve(path))
    this.#added = added
    this.#onNews = onNews
  }

  start(): void {
    if (this.#paths.length === 0) return
    this.#watchAll()
    // Something may have changed between the first reading and the first watcher.
    this.#mayHaveChanged()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    for (const { watcher } of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #mayHaveChanged(): void {
    // A look that is coming is not put off: something else in the folder may change all the time.
    if (!this.#stopped) this.#cancel ??= soon(settledAfterMs, () => this.#look())
  }

  #look(): void {
    this.#cancel = null
    this.#watchAll()
    const now = this.#added.snapshot()
    const settled = this.#last !== null && sameFiles(this.#last, now)
    this.#last = now
    if (settled) for (const news of this.#added.update(now)) this.#onNews(news)
    else this.#mayHaveChanged()
  }

  #watchAll(): void {
    const folders = foldersOf(this.#paths)
    for (const [folder, { watcher }] of this.#watchers) {
      if (!folders.has(folder)) this.#forget(folder, watcher)
    }
    for (const [folder, names] of folders) this.#watch(folder, names)
  }

  #watch(folder: string, names: Names): void {
    const inode = inodeOf(folder)
    const known = this.#watchers.get(folder)
    if (known !== undefined && known.inode === inode) {
      known.names = names
      return
    }
    // Another folder of the same name has taken its place.
    if (known !== undefined) this.#forget(folder, known.watcher)
    if (inode === undefined) return
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        const of = watched.names
        if (of === 'all' || name === null || of.has(name)) this.#mayHaveChanged()
      })
      const watched: Watched = { watcher, inode, names }
      watcher.on('error', (error) => this.#cannotWatch(folder, error))
      this.#watchers.set(folder, watched)
    } catch (error) {
      this.#cannotWatch(folder, error)
    }
  }

  #forget(folder: string, watcher: FSWatcher): void {
    watcher.close()
    this.#watchers.delete(folder)
  }

  /** Told once for each folder. */
  #cannotWatch(folder: string, error: unknown): void {
    if (this.#unwatched.has(folder) || this.#stopped) return
    this.#unwatched.add(folder)
    const message = `cannot be watched: ${error instanceof Error ? error.message : String(error)}`
    const problems = [{ file: folder, line: 1, column: 1, message }]
    this.#onNews({ id: '', file: folder, change: 'unwatched', problems })
  }
}

/** What is of interest in a folder. */
type Names = 'all' | Set<string>

interface Watched {
  readonly watcher: FSWatcher
  readonly inode: number
  names: Names
}

/** Every folder that holds scenarios, the parent of each path, which may be replaced by another of its name, and the
 *  folders that links to files lead to. */
function foldersOf(paths: readonly string[]): Map<string, Names> {
  const folders = new Map<string, Names>()
  const addName = (path: string) => {
    const names = folders.get(dirname(path)) ?? new Set()
    if (names !== 'all') names.add(basename(path))
    folders.set(dirname(path), names)
  }
  for (const path of paths) {
    const found = yamlFilesAt(path)
    for (const folder of found.folders) folders.set(folder, 'all')
    for (const link of found.links) {
      // In a ConfigMap the file stays the same link, and `..data` beside it changes.
      folders.set(dirname(link), 'all')
      addName(quietly(() => realpathSync(link)) ?? link)
    }
    addName(path)
  }
  return folders
}

const inodeOf = (folder: string): number | undefined => quietly(() => statSync(folder).ino)

/** undefined if nothing is there any more, or it may not be read. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

function sameFiles(a: Snapshot, b: Snapshot): boolean {
  return a.size === b.size && [...a].every(([file, text]) => b.has(file) && sameText(text, b.get(file)))
}

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
