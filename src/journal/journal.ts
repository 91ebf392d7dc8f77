import type { Diagnosis, JournalEntry } from '../domain/journal/entry.ts'
import type { KnownSecrets } from '../domain/journal/known-secrets.ts'
import {
  withoutSecretHeaders,
  withoutSecretMembers,
  withoutSecretParameters,
} from '../domain/journal/masking.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { type JournalBound, surplusOf } from '../store/journal-bound.ts'
import type { ListQuery, Page, Store } from '../store/store.ts'
import { every } from '../time/timers.ts'
import type { Feed } from './feed.ts'

/** An entry before it is masked and bounded. */
export interface RawEntry extends Omit<JournalEntry, 'headers'> {
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
}

/** Of a body or an answer, this many characters are kept; with the number of entries, a bound on the whole journal. */
export const keepCharacters = 16 * 1024
/** The same of a path, a note, a diagnosis. */
const keepOfWords = 2 * 1024

/** An entry as the journal stores it: without secrets, long texts cut. */
export function maskedEntry(entry: RawEntry, mask: (text: string) => string): JournalEntry {
  const words = (text: string) => cut(text, keepOfWords, mask)
  return {
    id: entry.id,
    wallAt: entry.wallAt,
    at: entry.at,
    clientId: entry.clientId,
    operation: entry.operation,
    requestId: entry.requestId === null ? null : words(entry.requestId),
    method: entry.method,
    path: words(withoutSecretParameters(entry.path)),
    headers: maskedHeaders(entry.rawHeaders, mask),
    body: cut(entry.body, keepCharacters, (text) => mask(withoutSecretMembers(text))),
    status: entry.status,
    response: cut(entry.response, keepCharacters, mask),
    ms: entry.ms,
    notes: entry.notes.map(words),
    diagnosis: entry.diagnosis === null ? null : maskedDiagnosis(entry.diagnosis, words),
  }
}

function maskedHeaders(raw: readonly string[], mask: (text: string) => string): JournalEntry['headers'] {
  const headers = withoutSecretHeaders(joinedHeaders(raw))
  for (const [name, value] of Object.entries(headers)) headers[name] = mask(value)
  return headers
}

function maskedDiagnosis(diagnosis: Diagnosis, words: (text: string) => string): Diagnosis {
  const { message, stringToSign, signedString } = diagnosis
  return {
    ...diagnosis,
    message: words(message),
    ...(stringToSign === undefined ? {} : { stringToSign: words(stringToSign) }),
    ...(signedString === undefined ? {} : { signedString: words(signedString) }),
  }
}

/** @param mask done before the text is cut, so that no half of a secret is left at the cut */
function cut(text: string, characters: number, mask: (text: string) => string): string {
  if (text.length <= characters) return mask(text)
  const read = characters + longestSecret
  const begin = mask(text.slice(0, read))
  // A secret of which only half was read has moved up if others before it are kept shorter than they came.
  const kept = text.length <= read ? characters : Math.min(characters, begin.length - longestSecret)
  return `${begin.slice(0, kept)}… (${text.length} characters in all)`
}

/** Spelt with escapes within escapes, a character takes many. */
const longestSecret = 4096

/** A crash costs the entries of this time, and of the writing that follows. */
const flushEveryMs = 200
/** So many are written sooner: in a few milliseconds, for which everybody else has to wait. */
const flushFrom = 500
/** In one transaction. There may be 2,000 connections, so no turn of the event loop brings more than it takes away. */
const writtenAtOnce = 2_000
/** How many entries are kept of all clients together, and of each whatever the others do. */
export const journalKeeps: JournalBound = { all: 5_000, each: 500 }
/** Of the whole journal, looked at whenever about `lookedAtBytes` have come. */
const keepBytes = 64 * 1024 * 1024
const lookedAtBytes = 8 * 1024 * 1024
/** How much may wait to be written. */
const mostWaiting = { entries: 2 * journalKeeps.all, bytes: 32 * 1024 * 1024 }

/** The requests to the service and their answers. New entries wait in memory and are written behind, so that no request
 *  waits for the disk; a crash loses what was not yet written. */
export class Journal {
  readonly #store: Store
  readonly #feed: Feed
  readonly #secrets: Pick<KnownSecrets, 'mask'>
  readonly #onError: (error: unknown) => void
  /** The oldest first. */
  #waiting: JournalEntry[] = []
  #waitingBytes = 0
  /** Entries that never reached the store, since it was last told. */
  #dropped = 0
  /** How much was written since the store last looked at the size of the whole journal. */
  #unlookedBytes = 0
  #written: Promise<void> = Promise.resolve()
  readonly #stopTimer: () => void
  #ids = 0
  readonly #idPrefix: string

  constructor(options: {
    store: Store
    feed: Feed
    startedAt: number
    /** What entries must not hold. */
    secrets: Pick<KnownSecrets, 'mask'>
    onError: (error: unknown) => void
  }) {
    this.#store = options.store
    this.#feed = options.feed
    this.#secrets = options.secrets
    this.#onError = options.onError
    this.#idPrefix = `req_${options.startedAt.toString(36)}`
    // The journal is a help, not a promise: if the disk is full, entries are dropped and the log says so.
    this.#stopTimer = every(flushEveryMs, () => void this.#flushIfPossible())
  }

  /** An id for the next entry; ids of one run sort by time. */
  nextId(): string {
    this.#ids += 1
    return `${this.#idPrefix}${this.#ids.toString(36).padStart(6, '0')}`
  }

  /** Adds an entry, without secrets, and tells the feed. */
  record(raw: RawEntry): void {
    // Of what went well no more can be wrong than a client's own secret in the wrong place.
    const owner = raw.diagnosis === null ? raw.clientId : null
    const entry = maskedEntry(raw, (text) => this.#secrets.mask(text, owner))
    this.#waiting.push(entry)
    this.#waitingBytes += bytesOf(entry)
    if (this.#waiting.length > mostWaiting.entries || this.#waitingBytes > mostWaiting.bytes) this.#dropHalf()
    this.#feed.emit({ type: 'request', entry })
    if (this.#waiting.length === flushFrom) void this.#flushIfPossible()
  }

  /** @throws request_unknown */
  async get(id: string): Promise<JournalEntry> {
    await this.#flushIfPossible()
    const entry = await this.#store.findRequest(id)
    if (entry === null) throw new EmulatorError('request_unknown', { id })
    return entry
  }

  async list(query: ListQuery): Promise<Page<JournalEntry> & { readonly pruned: number }> {
    await this.#flushIfPossible()
    return this.#store.listRequests(query)
  }

  /** Writes the entries that wait. Those that cannot be written are dropped. */
  flush(): Promise<void> {
    const written = this.#written.then(() => this.#write())
    this.#written = written.catch(() => undefined)
    return written
  }

  /** A full disk does not keep the rest of the journal from being read. */
  #flushIfPossible(): Promise<void> {
    return this.flush().catch(this.#onError)
  }

  /** Writes nothing while something is done: between two writes. */
  async whileItWaits<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#written.then(act)
    this.#written = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }

  /** Drops the entries of one client or of all that are not written yet: their world has been emptied, and the next
   *  one under the same name has had no calls. */
  forget(clientId?: string): void {
    const isOthers = (entry: JournalEntry) => clientId !== undefined && entry.clientId !== clientId
    this.#wait(this.#waiting.filter(isOthers))
  }

  async close(): Promise<void> {
    this.#stopTimer()
    await this.flush()
  }

  /** Writes what waits when it is called: under load, more comes in meanwhile. */
  async #write(): Promise<void> {
    for (let left = this.#waiting.length; left > 0; left -= writtenAtOnce) {
      const written = this.#waiting.slice(0, writtenAtOnce)
      this.#wait(this.#waiting.slice(writtenAtOnce))
      try {
        await this.#append(written)
      } catch (error) {
        this.#dropped += written.length
        throw error
      }
    }
  }

  async #append(entries: readonly JournalEntry[]): Promise<void> {
    this.#unlookedBytes += sumOfBytes(entries)
    const isDue = this.#unlookedBytes >= lookedAtBytes
    const dropped = this.#dropped
    const bound = isDue ? { ...journalKeeps, bytes: keepBytes } : journalKeeps
    await this.#store.appendRequests(entries, bound, dropped)
    this.#dropped -= dropped
    if (isDue) this.#unlookedBytes = 0
  }

  /** Drops half of what waits: the oldest entries of those clients that have most. */
  #dropHalf(): void {
    const counts = new Map<string | null, number>()
    for (const { clientId } of this.#waiting) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
    const surplus = surplusOf(counts, { all: Math.floor(this.#waiting.length / 2), each: 0 })
    const before = this.#waiting.length
    this.#wait(
      this.#waiting.filter(({ clientId }) => {
        const left = surplus.get(clientId) ?? 0
        surplus.set(clientId, left - 1)
        return left <= 0
      }),
    )
    this.#dropped += before - this.#waiting.length
  }

  #wait(entries: JournalEntry[]): void {
    this.#waiting = entries
    this.#waitingBytes = sumOfBytes(entries)
  }
}

const sumOfBytes = (entries: readonly JournalEntry[]): number =>
  entries.reduce((sum, entry) => sum + bytesOf(entry), 0)

/** About how much an entry takes. */
function bytesOf({ path, headers, body, response, notes }: JournalEntry): number {
  return [path, body, response, ...notes, ...Object.values(headers)].reduce(
    (sum, { length }) => sum + length,
    0,
  )
}

/** Headers by name, in lower case; one that came several times has its values joined.
 *  @param list names and values in turn, as Node gives them */
export function joinedHeaders(list: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index < list.length; index += 2) {
    const name = (list[index] ?? '').toLowerCase()
    const before = headers.get(name)
    const value = list[index + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`)
  }
  return headers
}
