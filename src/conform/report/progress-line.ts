/** The output to which the progress of a run is written. */
export interface ProgressPlace {
  /** Whether it is a terminal: one line is overwritten. */
  readonly interactive: boolean
  readonly colours: boolean
  /** The width of the terminal; null if unknown. */
  readonly columns: number | null
  /** Writes a text without a line end. */
  readonly write: (text: string) => void
}

const beginLine = '\r\u001b[2K'

/** A line at the end of a terminal that is overwritten; nothing elsewhere. */
export class ProgressLine {
  readonly #place: ProgressPlace

  constructor(place: ProgressPlace) {
    this.#place = place
  }

  overwrite(line: string): void {
    if (!this.#place.interactive) return
    // A full line would wrap, and would not be overwritten.
    const room = (this.#place.columns ?? 80) - 1
    this.#place.write(`${beginLine}${line.length > room ? `${line.slice(0, room - 1)}…` : line}`)
  }

  /** Erases the line. */
  end(): void {
    if (this.#place.interactive) this.#place.write(beginLine)
  }
}
