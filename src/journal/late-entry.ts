import type { Cause } from '../domain/diagnosis/causes.ts'
import type { JournalEntry, Operation } from '../domain/journal-entry.ts'
import { keepCharacters, sizeOf } from './tidied.ts'

/** What is told of every request, and needs no masking. */
export interface RequestBrief {
  readonly clientId: string | null
  readonly operation: Operation | null
  /** 0 if nothing was answered. */
  readonly status: number
  /** Why it was refused. */
  readonly cause: Cause | null
}

/** An entry that is masked and bounded when somebody first asks for it. Under load most give way to newer ones before
 *  they are written, and nobody asks. */
export class LateEntry {
  readonly type = 'request'
  readonly brief: RequestBrief
  /** About how many characters it takes. */
  readonly size: number
  readonly #tidy: () => JournalEntry
  #entry: JournalEntry | undefined

  constructor(entry: JournalEntry, tidy: () => JournalEntry) {
    const { clientId, operation, status, diagnosis } = entry
    this.brief = { clientId, operation, status, cause: diagnosis?.cause ?? null }
    this.#tidy = tidy
    const size = sizeOf(entry)
    // A long one would take its room until it is written.
    if (size > keepCharacters) this.#entry = tidy()
    this.size = this.#entry === undefined ? size : sizeOf(this.#entry)
  }

  get clientId(): string | null {
    return this.brief.clientId
  }

  /** As the journal keeps it. */
  get entry(): JournalEntry {
    this.#entry ??= this.#tidy()
    return this.#entry
  }
}
