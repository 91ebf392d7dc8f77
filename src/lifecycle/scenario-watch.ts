import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { ScenarioNews } from '../domain/scenario/scenario-news.ts'
import { soon } from '../time/timers.ts'
import { type AddedScenarios, type Snapshot, sameText } from './added-scenarios.ts'
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
