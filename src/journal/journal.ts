import { EmulatorError } from '../domain/errors.ts'
import type { JournalEntry } from '../domain/journal-entry.ts'
import type { KnownSecrets } from '../domain/known-secrets.ts'
import type { JournalBound } from '../store/journal-bound.ts'
import type { ListQuery, Page, Store } from '../store/store.ts'
import type { Afterwards } from '../time/afterwards.ts'
import { every } from '../time/timers.ts'
import type { Feed } from './feed.ts'
import { LateEntry } from './late-entry.ts'
import { Pauses } from './pauses.ts'
import { type RawEntry, sizeOf, tidied } from './tidied.ts'
import { WaitingEntries } from './waiting-entries.ts'
import { WritePace } from './write-pace.ts'

/** With `spreadOverMs`, how much of the journal a crash may cost; under load more, see `WritePace`. What waits for longer
 *  than two collections of new objects becomes old, and brings the next collection of old ones nearer, in which all
 *  webhooks are late. */
const flushEveryMs = 200
/** Written at once, so that requests are served in between: as many as take a millisecond. */
const writtenAtOnce = 20
/** How long a batch for which nobody waits is spread over. One part after the other is a burst of work, in which all
 *  webhooks are late. */
const spreadOverMs = 150
/** How many entries are kept of all clients together, and of each whatever the others do. */
export const journalKeeps: JournalBound = { all: 5_000, each: 500 }
/** Of the whole journal, looked at whenever about `lookedAtBytes` have come. */
const keepBytes = 64 * 1024 * 1024
const lookedAtBytes = 8 * 1024 * 1024
/** Of what waits. */
const mayWaitBytes = 32 * 1024 * 1024
/** Those that would be pruned at once are dropped when a quarter more waits than is kept. */
const mayWait = (kept: number) => 1.25 * Math.max(kept, journalKeeps.all)

/** The requests to the service and their answers: a bounded buffer, written behind in batches, so that no request
 *  waits for it. What was not yet written is lost in a crash. */
export class Journal {
  readonly #store: Store
  readonly #feed: Feed
  readonly #secrets: Pick<KnownSecrets, 'mask'>
  readonly #afterwards: Afterwards
  readonly #onError: (error: unknown) => void
  readonly #waiting = new WaitingEntries()
  /** What is being written; the store takes an entry when its write begins. */
  readonly #parts = new Set<JournalEntry[]>()
  /** Entries that were pruned before they were written. */
  #passedOver = 0
  /** Characters that came since all of the journal was last looked at. */
  #cameSince = 0
  /** Whether too much waits, and is being written. */
  #isMakingRoom = false
  /** How many may wait before those that would be pruned at once are dropped. */
  #mayWait = mayWait(0)
  /** Entries that came since the last tick. */
  #came = 0
  readonly #pace = new WritePace()
  readonly #pauses = new Pauses()
  #writing: Promise<void> = Promise.resolve()
  readonly #stopTimer: () => void
  #ids = 0
  readonly #idPrefix: string

  constructor(options: {
    store: Store
    feed: Feed
    startedAt: number
    /** What entries must not hold. */
    secrets: Pick<KnownSecrets, 'mask'>
    afterwards: Afterwards
    onError: (error: unknown) => void
  }) {
    this.#store = options.store
    this.#feed = options.feed
    this.#secrets = options.secrets
    this.#afterwards = options.afterwards
    this.#onError = options.onError
    this.#idPrefix = `req_${options.startedAt.toString(36)}`
    this.#stopTimer = every(flushEveryMs, () => this.#tick())
  }

  /** An id for the next entry; ids of one run sort by time. */
  nextId(): string {
    this.#ids += 1
    return `${this.#idPrefix}${this.#ids.toString(36).padStart(6, '0')}`
  }

  /** Adds an entry and tells the feed, once what is ready has left. Whoever reads the journal before finds it there. */
  record(raw: () => RawEntry): void {
    this.#afterwards.do(() => this.#add(raw()))
  }

  #add(raw: RawEntry): void {
    const late = new LateEntry(raw, this.#tidied)
    this.#came += 1
    this.#feed.tell(late)
    this.#waiting.add(late.known, late.size)
    if (this.#waiting.length >= this.#mayWait) this.#passOver()
    if (this.#waiting.size >= mayWaitBytes && !this.#isMakingRoom) this.#makeRoom()
  }

  #makeRoom(): void {
    this.#isMakingRoom = true
    this.flush()
      .catch(this.#onError)
      .finally(() => {
        this.#isMakingRoom = false
      })
  }

  readonly #tidied = (raw: RawEntry): JournalEntry => {
    // Of what went well no more can be wrong than a client's own secret in the wrong place.
    const owner = raw.diagnosis === null ? raw.clientId : null
    return tidied(raw, (text) => this.#secrets.mask(text, owner))
  }

  /** @throws request_unknown */
  async get(id: string): Promise<JournalEntry> {
    await this.#flushForReading()
    const entry = await this.#store.findRequest(id)
    if (entry === null) throw new EmulatorError('request_unknown', { id })
    return entry
  }

  async list(query: ListQuery): Promise<Page<JournalEntry>> {
    await this.#flushForReading()
    return this.#store.listRequests(query)
  }

  /** Writes what waits, but for what would be pruned at once. */
  flush(): Promise<void> {
    return this.#pauses.without(this.#flushBehind())
  }

  /** The same, while nobody waits for it. */
  #flushBehind(): Promise<void> {
    this.#afterwards.settle()
    if (this.#waiting.length === 0) return this.#writing
    this.#passOver()
    const upTo = this.#waiting.last
    const written = this.#writing.then(() => this.#write(upTo))
    this.#writing = written.catch(() => undefined)
    return written
  }

  /** Drops what was not written yet, of one client or of all: its world is being emptied, and one that begins later
   *  under the same name has had no calls. */
  forget(clientId?: string): void {
    this.#afterwards.settle()
    this.#waiting.forget(clientId)
    for (const part of this.#parts) dropOf(clientId, part)
  }

  /** Writes what waits, but for what has come after that; or drops it, so that it takes no room while the disk is full. */
  async #write(upTo: number): Promise<void> {
    try {
      await this.#writeInParts(upTo)
    } catch (error) {
      this.#waiting.take(Number.POSITIVE_INFINITY, upTo)
      throw error
    }
  }

  async #writeInParts(upTo: number): Promise<void> {
    const pauseMs = (spreadOverMs * writtenAtOnce) / this.#waiting.length
    for (;;) {
      const part = this.#waiting.take(writtenAtOnce, upTo)
      if (part.length === 0) return
      const entries = part.map((entry) => ('headers' in entry ? entry : this.#tidied(entry)))
      this.#cameSince += entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
      const isDue = this.#cameSince >= lookedAtBytes
      const bound = isDue ? { ...journalKeeps, bytes: keepBytes } : journalKeeps
      const passedOver = this.#passedOver
      this.#passedOver = 0
      this.#parts.add(entries)
      try {
        await this.#store.appendRequests(entries, bound, passedOver)
      } finally {
        this.#parts.delete(entries)
      }
      if (isDue) this.#cameSince = 0
      if (this.#waiting.length > 0) await this.#pauses.take(pauseMs)
    }
  }

  #passOver(): void {
    this.#passedOver += this.#waiting.passOver(journalKeeps)
    // Many clients may all stay within what each may have.
    this.#mayWait = mayWait(this.#waiting.length)
  }

  #tick(): void {
    const came = this.#came
    this.#came = 0
    // The journal is a help, not a promise: if the disk is full the batch is dropped and the log says so.
    if (this.#pace.isDue(came)) this.#flushBehind().catch(this.#onError)
  }

  async close(): Promise<void> {
    this.#stopTimer()
    await this.flush()
  }

  /** What can't be written now (a full disk) does not keep the rest from being read. */
  async #flushForReading(): Promise<void> {
    await this.flush().catch(this.#onError)
  }
}

/** Takes out of a list what is of a client, or everything. */
function dropOf(clientId: string | undefined, list: JournalEntry[]): void {
  const left = clientId === undefined ? [] : list.filter((each) => each.clientId !== clientId)
  if (left.length < list.length) list.splice(0, list.length, ...left)
}
