import type { CaseResult, Verdict } from '../report.ts'
import type { ConformOptions } from '../run/conformance.ts'
import { paletteOf, verdictLook } from './palette.ts'
import { countWords, secondsOf } from './summary.ts'

/** Where progress is written. */
export interface ProgressPlace {
  /** It is a terminal: one line, written over and over. */
  readonly interactive: boolean
  readonly colours: boolean
  /** Characters in a line; null if nobody knows. */
  readonly columns: number | null
  /** Writes a text as it is, without a newline. */
  readonly write: (text: string) => void
}

const beginLine = '\r\u001b[2K'

/** Tells how far a run is: hand its two functions to `conform`, and end it before the report is written. */
export class Progress implements Required<Pick<ConformOptions, 'onCase' | 'onResult'>> {
  readonly #place: ProgressPlace
  readonly #counts: Record<Verdict, number> = { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 }

  constructor(place: ProgressPlace) {
    this.#place = place
    this.#overwrite('checking the configuration')
  }

  /** A case begins. */
  readonly onCase: NonNullable<ConformOptions['onCase']> = ({ id, title, n, of }) => {
    const place = `${String(n).padStart(String(of).length)}/${of}`
    const words = [place, countWords(this.#counts), `${id} ${title}`]
    this.#overwrite(words.filter((word) => word !== '').join('  '))
  }

  /** A case has ended. */
  readonly onResult = ({ id, verdict, title, ms }: CaseResult): void => {
    this.#counts[verdict] += 1
    if (this.#place.interactive) return
    const dressed = paletteOf(this.#place.colours)(verdictLook[verdict], verdict.padEnd(8))
    this.#place.write(`${id}  ${dressed}  ${title} (${secondsOf(ms)})\n`)
  }

  /** Leaves an empty line for what follows. */
  end(): void {
    if (this.#place.interactive) this.#place.write(beginLine)
  }

  #overwrite(line: string): void {
    if (!this.#place.interactive) return
    // A full line would begin another one, which nothing would write over.
    const room = (this.#place.columns ?? 80) - 1
    this.#place.write(`${beginLine}${line.length > room ? `${line.slice(0, room - 1)}…` : line}`)
  }
}
