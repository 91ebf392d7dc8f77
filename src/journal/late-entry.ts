import type { Diagnosis, JournalEntry } from '../domain/journal-entry.ts'
import type { KeptTexts, TextBlocks } from './text-blocks.ts'
import { keepCharacters, type RawEntry, sizeOf } from './tidied.ts'

/** What is told of every request, and needs no masking. */
export interface RequestBrief extends Pick<JournalEntry, 'clientId' | 'operation' | 'status'> {
  /** Why it was refused. */
  readonly diagnosis: Pick<Diagnosis, 'cause'> | null
}

/** An entry that is masked and bounded when somebody first asks for it. Under load most give way to newer ones before
 *  they are written, and nobody asks. */
export class LateEntry {
  readonly type = 'request'
  readonly clientId: string | null
  /** About how many characters it takes. */
  readonly size: number
  readonly #tidy: (raw: RawEntry) => JournalEntry
  /** What is not in `#known`. */
  #texts: KeptTexts | null = null
  #known: RawEntry | Textless | JournalEntry

  constructor(raw: RawEntry, tidy: (raw: RawEntry) => JournalEntry) {
    this.clientId = raw.clientId
    this.#tidy = tidy
    this.#known = raw
    const size = sizeOf(raw)
    // A long one would take its room until it is written.
    this.size = size > keepCharacters ? sizeOf(this.entry) : size
  }

  get brief(): RequestBrief {
    return this.#known
  }

  /** As the journal keeps it. */
  get entry(): JournalEntry {
    const known = this.gathered()
    if ('headers' in known) return known
    const entry = this.#tidy(known)
    this.#known = entry
    return entry
  }

  /** Has its texts kept in blocks until somebody asks, if nobody has by now. */
  keepApart(blocks: TextBlocks): void {
    if (!('headerLines' in this.#known)) return
    const { clientId, operation, status, diagnosis, wallAt, at, method, notes, ms } = this.#known
    const { id, requestId, path, headerLines, body, response } = this.#known
    this.#texts = blocks.keep([id, requestId ?? '', path, headerLines, body, response])
    if (this.#texts === null) return
    const namesOrder = requestId !== null
    this.#known = { clientId, operation, status, diagnosis, wallAt, at, method, notes, ms, namesOrder }
  }

  /** Takes its texts back, as it outlives those that were kept at the same time and would hold their room. */
  gathered(): RawEntry | JournalEntry {
    const known = this.#known
    if (!('namesOrder' in known)) return known
    if (this.#texts === null) throw new Error('an entry without its texts')
    const [id = '', requestId = '', path = '', headerLines = '', body = '', response = ''] =
      this.#texts.take()
    const { namesOrder, ...others } = known
    const raw = { ...others, id, requestId: namesOrder ? requestId : null, path, headerLines, body, response }
    this.#known = raw
    return raw
  }

  /** Nobody will ask any more. */
  drop(): void {
    this.#texts?.drop()
  }
}

/** An entry whose texts are kept elsewhere. */
interface Textless extends Omit<RawEntry, 'id' | 'requestId' | 'path' | 'headerLines' | 'body' | 'response'> {
  /** Whether its requestId is not null. */
  readonly namesOrder: boolean
}
