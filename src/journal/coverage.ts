import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CoverageWatch, type HazardHit } from '../domain/coverage/coverage-watch.ts'
import { type Met, type Section, sections } from '../domain/coverage/seen-order.ts'
import type { FeedEvent } from './feed.ts'
import { clientOf } from './tallies.ts'

export class CoverageFolderRefused extends Error {}

/** Counts the hazards that applications have met since the start or the last reset of the counts, by client; removed
 *  clients are included. */
export class Coverage {
  readonly #watch = new CoverageWatch()
  readonly #ofClients = new Map<string, CoverageCounts>()
  /** Counts of calls without a client, and of clients that were reset or removed. */
  #others = new CoverageCounts()
  readonly #written = new Set<string>()
  readonly #file: string | null
  readonly #onError: (error: unknown) => void

  /** @param into the folder and file name for the coverage of this emulator; null to write nothing
   *  @throws CoverageFolderRefused */
  constructor(into: { folder: string; name: string } | null, onError: (error: unknown) => void) {
    this.#file = into === null ? null : begunFile(into)
    this.#onError = onError
  }

  readonly listen = (event: FeedEvent): void => {
    if (event.type === 'emptied') this.#ended(event.clientId)
    if (!isCounted(event)) return
    const meetings = this.#watch.meetings(event)
    if (meetings.length === 0) return
    const counts = this.#countsOf(clientOf(event))
    for (const [section, name] of meetings) counts.add(section, name)
    this.#append(meetings)
  }

  /** Lists the hazards met by one client or by all. */
  met(clientId?: string): Met[] {
    if (clientId !== undefined) return this.#ofClients.get(clientId)?.met() ?? []
    return [this.#others, ...this.#ofClients.values()].flatMap((counts) => counts.met())
  }

  /** Forgets the hazards met by one client, or by all. */
  beginAnew(clientId?: string): void {
    if (clientId === undefined) {
      this.#ofClients.clear()
      this.#others = new CoverageCounts()
    } else this.#ofClients.delete(clientId)
    this.close()
  }

  /** Writes all hazards and their counts to the file. */
  close(): void {
    const met = this.met()
    this.#written.clear()
    for (const { section, name } of met) this.#written.add(keyOf(section, name))
    this.#write((file) => writeFileSync(file, linesOf(met)))
  }

  #ended(clientId: string | undefined): void {
    const ended = clientId === undefined ? [...this.#ofClients.keys()] : [clientId]
    for (const each of ended) {
      for (const { section, name, count } of this.#ofClients.get(each)?.met() ?? [])
        this.#others.add(section, name, count)
      this.#ofClients.delete(each)
    }
  }

  #countsOf(clientId: string | null): CoverageCounts {
    if (clientId === null) return this.#others
    const known = this.#ofClients.get(clientId) ?? new CoverageCounts()
    this.#ofClients.set(clientId, known)
    return known
  }

  /** Writes a newly met hazard at once: a test runner may kill the process. */
  #append(meetings: readonly HazardHit[]): void {
    if (this.#file === null) return
    const fresh = meetings.filter(([section, name]) => !this.#written.has(keyOf(section, name)))
    if (fresh.length === 0 || this.#written.size >= sections.length * mostNames) return
    for (const [section, name] of fresh) this.#written.add(keyOf(section, name))
    this.#write((file) =>
      appendFileSync(file, linesOf(fresh.map(([section, name]) => ({ section, name, count: 1 })))),
    )
  }

  #write(act: (file: string) => void): void {
    if (this.#file === null) return
    try {
      // The folder may have been removed while the emulator ran.
      mkdirSync(dirname(this.#file), { recursive: true })
      act(this.#file)
    } catch (error) {
      this.#onError(error)
    }
  }
}

const isCounted = (event: FeedEvent) =>
  event.type === 'order' ||
  event.type === 'claimed' ||
  event.type === 'attempt' ||
  event.type === 'skipped' ||
  event.type === 'request'

/** Maximum number of names per section, because a scenario may invent any number of statuses and codes. */
const mostNames = 1_000

class CoverageCounts {
  readonly #counts = new Map<Section, Map<string, number>>(sections.map((section) => [section, new Map()]))

  add(section: Section, name: string, count = 1): void {
    const counts = this.#counts.get(section)
    if (counts === undefined || (counts.size >= mostNames && !counts.has(name))) return
    counts.set(name, (counts.get(name) ?? 0) + count)
  }

  met(): Met[] {
    return [...this.#counts].flatMap(([section, counts]) =>
      [...counts].map(([name, count]) => ({ section, name, count })),
    )
  }
}

const keyOf = (section: Section, name: string): string => `${section} ${name}`

const linesOf = (lines: readonly Met[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

function begunFile({ folder, name }: { folder: string; name: string }): string {
  const file = join(folder, `${name}.jsonl`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, '')
    return file
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CoverageFolderRefused(
      `EMULATOR_COVERAGE_DIR: ${JSON.stringify(folder)} cannot be used: ${reason}`,
    )
  }
}
