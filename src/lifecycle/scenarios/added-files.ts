import { existsSync, type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { ScenarioNews } from '../../domain/scenario/scenario.ts'
import type { SourceProblem } from '../../domain/text/yaml-source.ts'
import { soon } from '../../time/timers.ts'
import { idOf, readCatalogScenario, repeatedIds, ScenarioFileError, textOf } from './built-in.ts'
import type { CatalogScenario, ScenarioSource } from './catalog.ts'
import { yamlFilesAt } from './yaml-files.ts'

/** How long a file must stay unchanged before it is read: editors save in several steps. */
const settledAfterMs = 80

/** Watches the added scenario files while the emulator runs. A file event is only a hint: the change follows from
 *  reading all files twice with the same result, so it does not matter how an editor saves. A folder that cannot be
 *  watched is reported and skipped. The watcher does not keep the process alive. */
export class ScenarioWatch {
  readonly #paths: readonly string[]
  readonly #added: AddedScenarios
  readonly #onNews: (news: ScenarioNews) => void
  readonly #watchers = new Map<string, Watched>()
  readonly #unwatched = new Set<string>()
  #last: Snapshot | null = null
  /** Cancels the scheduled look at the files; null while none is scheduled. */
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
    // A file may have changed between the first reading and the first watcher.
    this.#mayHaveChanged()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    for (const { watcher } of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #mayHaveChanged(): void {
    // A scheduled look is not postponed: another file in the folder may change all the time.
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
    // A folder that was replaced by another of the same name is watched again.
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

  /** Reports once that a folder cannot be watched. */
  #cannotWatch(folder: string, error: unknown): void {
    if (this.#unwatched.has(folder) || this.#stopped) return
    this.#unwatched.add(folder)
    const message = `cannot be watched: ${error instanceof Error ? error.message : String(error)}`
    const problems = [{ file: folder, line: 1, column: 1, message }]
    this.#onNews({ id: '', file: folder, change: 'unwatched', problems })
  }
}

/** The names of files to watch in a folder. */
type Names = 'all' | Set<string>

interface Watched {
  readonly watcher: FSWatcher
  readonly inode: number
  names: Names
}

/** All folders to watch: folders with scenarios, the parent of each path (which may be replaced), and the targets of
 *  links. */
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
      // In a Kubernetes ConfigMap the file stays the same link, and `..data` beside it changes.
      folders.set(dirname(link), 'all')
      addName(quietly(() => realpathSync(link)) ?? link)
    }
    addName(path)
  }
  return folders
}

const inodeOf = (folder: string): number | undefined => quietly(() => statSync(folder).ino)

/** Returns undefined if the file is gone or unreadable. */
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

/** The added files at one time, as text; a problem stands for an unreadable file. */
export type Snapshot = ReadonlyMap<string, string | SourceProblem>

interface AddedFile {
  readonly text: string | SourceProblem
  /** The last version of the file that had no problems. */
  readonly good: CatalogScenario | null
  readonly problems: readonly SourceProblem[]
}

/** The scenarios that a user has added (`--scenarios`). If several paths have a file with the same id, the last path
 *  counts; within one path that is a mistake. */
export class AddedScenarios implements ScenarioSource {
  readonly #paths: readonly string[]
  #files: ReadonlyMap<string, AddedFile> = new Map()
  #byId: ReadonlyMap<string, AddedFile> = new Map()

  /** @throws ScenarioFileError with all problems of all files */
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

  /** The problems of a scenario's present file; its last good version is in use. */
  problemsWith(id: string): readonly SourceProblem[] {
    return this.#byId.get(id)?.problems ?? []
  }

  /** The problems of all present files, with the ids that the files would have. */
  problems(): readonly (SourceProblem & { readonly id: string })[] {
    return [...this.#files].flatMap(([file, { problems }]) =>
      problems.map((problem) => ({ ...problem, id: idOf(file) })),
    )
  }

  snapshot(): Snapshot {
    const now = new Map<string, string | SourceProblem>()
    for (const { files, problems } of this.#paths.map(yamlFilesAt)) {
      for (const file of files) now.set(file, textOf(file))
      for (const problem of [...problems, ...repeatedIds(files)]) now.set(problem.file, problem)
    }
    return now
  }

  /** Takes over the present files. Correct ones are used, broken ones keep their last good version, missing ones are
   *  removed.
   *  @returns the changes */
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

/** Whether a file is unchanged. */
function sameText(a: string | SourceProblem | undefined, b: string | SourceProblem | undefined): boolean {
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
