import { wallNow } from '../time/wall.ts'
import type { TimelineEntry } from './report.ts'

/** A line of what happened, and whose it is if it is about one order only. */
interface Note extends TimelineEntry {
  readonly about: string | null
}

/** What a case has done and seen, line by line. */
export class Notes {
  readonly #lines: Note[] = []
  readonly #wallAt: number

  /** @param wallAt when the case began, by the clock of the journal: what is told by two clocks comes out of order */
  constructor(wallAt: number) {
    this.#wallAt = wallAt
  }

  /** @param atMs milliseconds of the client's clock since the case began
   *  @param about the requestId of the only order that it is about */
  add(atMs: number, what: string, about: string | null): void {
    const wallMs = wallNow() - this.#wallAt
    this.#lines.push({ atMs, wallMs, who: 'conform', what, about })
  }

  /** The lines that are about an order, or about none in particular. */
  about(requestId: string | null): TimelineEntry[] {
    return this.#lines
      .filter(({ about }) => about === null || about === requestId)
      .map(({ about: _, ...entry }) => entry)
  }
}
