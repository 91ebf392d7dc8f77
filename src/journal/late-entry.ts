import type { Diagnosis, JournalEntry } from '../domain/journal-entry.ts'
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
  /** About how many characters it takes. */
  readonly size: number
  readonly #tidy: (raw: RawEntry) => JournalEntry
  #known: RawEntry | JournalEntry

  constructor(raw: RawEntry, tidy: (raw: RawEntry) => JournalEntry) {
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
    if ('headers' in this.#known) return this.#known
    this.#known = this.#tidy(this.#known)
    return this.#known
  }

  /** As the journal keeps it if somebody has asked by now, else as it came. */
  get known(): RawEntry | JournalEntry {
    return this.#known
  }
}
