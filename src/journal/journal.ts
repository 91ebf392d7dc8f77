import { EmulatorError } from '../domain/errors.ts'
import type { Diagnosis, JournalEntry } from '../domain/journal-entry.ts'
import type { KnownSecrets } from '../domain/known-secrets.ts'
import { withoutSecretMembers, withoutSecretParameters } from '../domain/secrets.ts'
import { type JournalBound, surplusOf } from '../store/journal-bound.ts'
import type { ListQuery, Page, Store } from '../store/store.ts'
import { every } from '../time/timers.ts'
import type { Feed } from './feed.ts'

/** How much of the journal a crash may cost. */
const flushEveryMs = 800
/** Written at once, so that requests are served in between. */
const writtenAtOnce = 500
const keep: JournalBound = { all: 5_000, each: 500 }
/** Of a body or an answer, this many characters are kept; with the above, a bound on the whole journal. */
const keepCharacters = 16 * 1024
/** The same of a path, a note, a diagnosis. */
const keepOfWords = 2 * 1024
/** Of the whole journal, looked at whenever about `lookedAtBytes` have come. */
const keepBytes = 64 * 1024 * 1024
const lookedAtBytes = 8 * 1024 * 1024

/** The requests to the service and their answers: a bounded buffer, written behind in batches, so that no request
 *  waits for it. What was not yet written is lost in a crash. */
export class Journal {
  readonly #store: Store
  readonly #feed: Feed
  readonly #secrets: Pick<KnownSecrets, 'mask'>
  readonly #onError: (error: unknown) => void
  #waiting: JournalEntry[] = []
  /** What is being written, in parts; the store takes an entry when its write begins. */
  readonly #unwritten = new Set<JournalEntry[]>()
  /** Entries that were pruned before they were written. */
  #passedOver = 0
  /** Characters that came since all of the journal was last looked at. */
  #cameSince = 0
  /** Characters that wait. */
  #waitingSize = 0
  /** How many may wait before those that would be pruned at once are dropped. */
  #mayWait = 2 * keep.all
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
    onError: (error: unknown) => void
  }) {
    this.#store = options.store
    this.#feed = options.feed
    this.#secrets = options.secrets
    this.#onError = options.onError
    this.#idPrefix = `req_${options.startedAt.toString(36)}`
    this.#stopTimer = every(flushEveryMs, () => this.#flushBehind())
  }

  /** An id for the next entry; ids of one run sort by time. */
  nextId(): string {
    this.#ids += 1
    return `${this.#idPrefix}${this.#ids.toString(36).padStart(6, '0')}`
  }

  /** Adds an entry and tells the feed. */
  record(entry: JournalEntry): void {
    // Of what went well no more can be wrong than a client's own secret in the wrong place.
    const owner = entry.diagnosis === null ? entry.clientId : null
    const kept = tidied(entry, (text) => this.#secrets.mask(text, owner))
    this.#waiting.push(kept)
    this.#waitingSize += sizeOf(kept)
    this.#feed.tell({ type: 'request', entry: kept })
    if (this.#waiting.length >= this.#mayWait) this.#passOver()
    if (this.#waitingSize >= lookedAtBytes) this.#flushBehind()
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
    if (this.#waiting.length === 0) return this.#writing
    this.#passOver()
    const batch = this.#waiting
    const passedOver = this.#passedOver
    this.#waiting = []
    this.#waitingSize = 0
    this.#passedOver = 0
    this.#mayWait = 2 * keep.all
    this.#unwritten.add(batch)
    const written = this.#writing.then(() => this.#write(batch, passedOver))
    this.#writing = written.catch(() => undefined)
    return written
  }

  /** Drops what was not written yet, of one client or of all: its world is being emptied, and one that begins later
   *  under the same name has had no calls. */
  forget(clientId?: string): void {
    for (const list of [this.#waiting, ...this.#unwritten]) {
      const kept = clientId === undefined ? [] : list.filter((entry) => entry.clientId !== clientId)
      if (kept.length < list.length) list.splice(0, list.length, ...kept)
    }
    this.#waitingSize = this.#waiting.reduce((sum, entry) => sum + sizeOf(entry), 0)
  }

  async #write(batch: JournalEntry[], passedOver: number): Promise<void> {
    try {
      await this.#writeInParts(batch, passedOver)
    } finally {
      this.#unwritten.delete(batch)
    }
  }

  async #writeInParts(batch: JournalEntry[], passedOver: number): Promise<void> {
    for (let isFirst = true; batch.length > 0; isFirst = false) {
      const part = batch.splice(0, writtenAtOnce)
      this.#cameSince += part.reduce((sum, entry) => sum + sizeOf(entry), 0)
      const isDue = this.#cameSince >= lookedAtBytes
      const bound = isDue ? { ...keep, bytes: keepBytes } : keep
      this.#unwritten.add(part)
      try {
        await this.#store.appendRequests(part, bound, isFirst ? passedOver : 0)
      } finally {
        this.#unwritten.delete(part)
      }
      if (isDue) this.#cameSince = 0
    }
  }

  #passOver(): void {
    if (this.#waiting.length <= keep.all) return
    const counts = new Map<string | null, number>()
    for (const { clientId } of this.#waiting) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
    const surplus = surplusOf(counts, keep)
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter(({ clientId }) => {
      const left = surplus.get(clientId) ?? 0
      if (left > 0) surplus.set(clientId, left - 1)
      return left === 0
    })
    this.#passedOver += before - this.#waiting.length
    // Many clients may all stay within what each may have.
    this.#mayWait = Math.max(2 * keep.all, 2 * this.#waiting.length)
  }

  async close(): Promise<void> {
    this.#stopTimer()
    await this.flush()
  }

  /** What can't be written now (a full disk) does not keep the rest from being read. */
  async #flushForReading(): Promise<void> {
    await this.flush().catch(this.#onError)
  }

  // The journal is a help, not a promise: if the disk is full the batch is dropped and the log says so.
  #flushBehind(): void {
    this.flush().catch(this.#onError)
  }
}

/** About how much an entry takes. */
function sizeOf({ path, body, response, headers, notes }: JournalEntry): number {
  const words = [path, body, response, ...Object.values(headers), ...notes]
  return words.reduce((sum, { length }) => sum + length, 0)
}

function tidied(entry: JournalEntry, mask: (text: string) => string): JournalEntry {
  const words = (text: string) => cut(text, keepOfWords, mask)
  return {
    ...entry,
    requestId: entry.requestId === null ? null : words(entry.requestId),
    path: words(withoutSecretParameters(entry.path)),
    headers: maskedValues(entry.headers, mask),
    body: cut(entry.body, keepCharacters, (text) => mask(withoutSecretMembers(text))),
    response: cut(entry.response, keepCharacters, mask),
    notes: entry.notes.map(words),
    diagnosis: entry.diagnosis === null ? null : tidiedDiagnosis(entry.diagnosis, words),
  }
}

function maskedValues(headers: JournalEntry['headers'], mask: (text: string) => string) {
  const kept: Record<string, string> = {}
  for (const name in headers) kept[name] = mask(headers[name] ?? '')
  return kept
}

function tidiedDiagnosis(diagnosis: Diagnosis, words: (text: string) => string): Diagnosis {
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
  const begin = mask(text.slice(0, characters + longestSecret)).slice(0, characters)
  return `${begin}… (${text.length} characters in all)`
}

const longestSecret = 1024
