import { wallNow } from '../../time/wall.ts'
import type { TimelineEntry } from '../report.ts'

/** What else is known of a line. */
export interface NoteOptions {
  /** The requestId of the only order that it is about. */
  readonly about?: string | null | undefined
  /** A create call follows from it. */
  readonly begins?: boolean | undefined
}

/** A line of what this tool has done or seen. */
export interface Note extends TimelineEntry, NoteOptions {}

/** What a case has done and seen, line by line. */
export class Notes {
  readonly #lines: Note[] = []
  readonly #wallAt: number

  /** @param wallAt when the case began, by the clock of the journal: what is told by two clocks comes out of order */
  constructor(wallAt: number) {
    this.#wallAt = wallAt
  }

  /** @param atMs milliseconds of the client's clock since the case began */
  add(atMs: number, what: string, options: NoteOptions): void {
    const wallMs = wallNow() - this.#wallAt
    this.#lines.push({ atMs, wallMs, who: 'conform', what, ...options })
  }

  /** The lines that are about an order, or about none in particular. */
  about(requestId: string | null): Note[] {
    return this.#lines.filter(({ about = null }) => about === null || about === requestId)
  }
}
