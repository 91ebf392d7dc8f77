import type { Diagnosis, JournalEntry } from '../domain/journal/entry.ts'
import type { KnownSecrets } from '../domain/journal/known-secrets.ts'
import {
  withoutSecretHeaders,
  withoutSecretMembers,
  withoutSecretParameters,
} from '../domain/journal/masking.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { excessEntries, type JournalBound } from '../store/journal-bound.ts'
import type { ListQuery, Page, Store } from '../store/store.ts'
import { every } from '../time/timers.ts'
import type { Feed } from './feed.ts'

/** An entry of the request log before its secrets are masked and it is shortened. */
export interface RawEntry extends Omit<JournalEntry, 'headers'> {
  /** Header names and values in alternation, as received. */
  readonly rawHeaders: readonly string[]
}

/** Maximum stored characters of a body or an answer. */
export const keepCharacters = 16 * 1024
/** Maximum stored characters of a path, a note or a diagnosis. */
const keepOfWords = 2 * 1024

/** Builds the stored form of an entry: secrets masked, long texts cut. */
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

/** Masks a text, then cuts it, so that no half of a secret is left at the cut. */
function cut(text: string, characters: number, mask: (text: string) => string): string {
  if (text.length <= characters) return mask(text)
  const read = characters + longestSecret
  const begin = mask(text.slice(0, read))
  // Masking shortens the text, so half of a secret behind the read part may have moved up.
  const kept = text.length <= read ? characters : Math.min(characters, begin.length - longestSecret)
  return `${begin.slice(0, kept)}… (${text.length} characters in all)`
}

/** Maximum length of a secret: nested escapes can take many characters for one. */
const longestSecret = 4096

/** Interval of writes. A crash loses the entries of one interval, and of the running write. */
const flushEveryMs = 200
/** Number of waiting entries at which a write starts early; a write blocks other work for a few milliseconds. */
const flushFrom = 500
/** Maximum entries in one transaction. With at most 2,000 connections, no turn of the event loop adds more. */
const writtenAtOnce = 2_000
/** Bounds of the request log in entries: for all clients, and the number that each client retains in any case. */
export const journalKeeps: JournalBound = { all: 5_000, each: 500 }
/** Maximum bytes of the stored log, checked after every `lookedAtBytes` of new entries. */
const keepBytes = 64 * 1024 * 1024
const lookedAtBytes = 8 * 1024 * 1024
const mostWaiting = { entries: 2 * journalKeeps.all, bytes: 32 * 1024 * 1024 }

/** The request log: requests to the service with their answers. New entries wait in memory and are written in the
 *  background, so that no request waits for the disk; a crash loses unwritten entries. */
export class Journal {
  readonly #store: Store
  readonly #feed: Feed
  readonly #secrets: Pick<KnownSecrets, 'mask'>
  readonly #onError: (error: unknown) => void
  #waiting: JournalEntry[] = []
  #waitingBytes = 0
  /** Number of dropped entries that the store has not counted yet. */
  #dropped = 0
  /** Bytes written since the store last checked the size of the log. */
  #unlookedBytes = 0
  #written: Promise<void> = Promise.resolve()
  readonly #stopTimer: () => void
  #ids = 0
  readonly #idPrefix: string

  constructor(options: {
    store: Store
    feed: Feed
    startedAt: number
    secrets: Pick<KnownSecrets, 'mask'>
    onError: (error: unknown) => void
  }) {
    this.#store = options.store
    this.#feed = options.feed
    this.#secrets = options.secrets
    this.#onError = options.onError
    this.#idPrefix = `req_${options.startedAt.toString(36)}`
    // The request log is a help, not a promise: if the disk is full, entries are dropped and the log says so.
    this.#stopTimer = every(flushEveryMs, () => void this.#flushIfPossible())
  }

  /** The id of the next entry; ids of one run sort by time. */
  nextId(): string {
    this.#ids += 1
    return `${this.#idPrefix}${this.#ids.toString(36).padStart(6, '0')}`
  }

  /** Masks an entry, adds it to the request log and emits it. */
  record(raw: RawEntry): void {
    // After a successful call, only the client's own secrets are masked, because no other client's secret can be in it.
    const owner = raw.diagnosis === null ? raw.clientId : null
    const entry = maskedEntry(raw, (text) => this.#secrets.mask(text, owner))
    this.#waiting.push(entry)
    this.#waitingBytes += bytesOf(entry)
    if (this.#waiting.length > mostWaiting.entries || this.#waitingBytes > mostWaiting.bytes) this.#dropHalf()
    this.#feed.emit({ type: 'request', entry })
    if (this.#waiting.length === flushFrom) void this.#flushIfPossible()
  }

  /** Finds an entry by its id.
   *  @throws request_unknown */
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

  /** Writes the waiting entries, and drops those that cannot be written. */
  flush(): Promise<void> {
    const written = this.#written.then(() => this.#write())
    this.#written = written.catch(() => undefined)
    return written
  }

  /** Writes the waiting entries and reports errors: a full disk must not prevent reading the log. */
  #flushIfPossible(): Promise<void> {
    return this.flush().catch(this.#onError)
  }

  /** Runs a function while no entry is written. */
  async whileItWaits<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#written.then(act)
    this.#written = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }

  /** Drops the unwritten entries of a reset client, or of all, because a later client of the same name made no
   *  calls. */
  forget(clientId?: string): void {
    const isOthers = (entry: JournalEntry) => clientId !== undefined && entry.clientId !== clientId
    this.#wait(this.#waiting.filter(isOthers))
  }

  async close(): Promise<void> {
    this.#stopTimer()
    await this.flush()
  }

  /** Writes the entries that wait at the start. Under load, more keep coming. */
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

  /** Drops half of the waiting entries: the oldest entries of the clients that have most. */
  #dropHalf(): void {
    const counts = new Map<string | null, number>()
    for (const { clientId } of this.#waiting) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
    const surplus = excessEntries(counts, { all: Math.floor(this.#waiting.length / 2), each: 0 })
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

function bytesOf({ path, headers, body, response, notes }: JournalEntry): number {
  return [path, body, response, ...notes, ...Object.values(headers)].reduce(
    (sum, { length }) => sum + length,
    0,
  )
}

/** Converts a header list to a map by name in lower case, with repeated headers joined.
 *  @param list header names and values in alternation, as Node gives them */
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
