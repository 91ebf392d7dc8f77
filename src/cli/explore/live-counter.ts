import { counted } from '../../conform/explore/report/words.ts'
import type { Progress } from '../../conform/explore/search.ts'
import type { ProgressLine } from '../../conform/report/progress-line.ts'
import { spanWords } from '../../domain/text/duration.ts'
import { stopwatch } from '../../time/wall.ts'
import { progressAt } from '../conform/test-run.ts'
import type { Terminal } from '../terminal.ts'

const doingWords = {
  plays: 'playing',
  shrinks: 'shrinking a story',
  repeats: 'repeating a story',
} as const satisfies Readonly<Record<Progress['doing'], string>>

/** The line that shows the progress of a search at a terminal: what was played and found, and the time left. */
export class LiveCounter {
  readonly #line: ProgressLine
  readonly #timeMs: number
  readonly #timer: NodeJS.Timeout
  #beganAt: number | null = null
  #last: Progress | null = null

  /** @param timeMs how long the search takes */
  constructor(terminal: Terminal, timeMs: number) {
    this.#line = progressAt(terminal)
    this.#timeMs = timeMs
    this.#line.overwrite('checking the configuration')
    // To shrink a story takes a while, and the time left goes on.
    this.#timer = setInterval(() => this.#write(), 1_000)
    this.#timer.unref()
  }

  /** Shows what a search has come to. */
  readonly onProgress = (progress: Progress): void => {
    this.#beganAt ??= stopwatch()
    this.#last = progress
    this.#write()
  }

  /** Erases the line. */
  end(): void {
    clearInterval(this.#timer)
    this.#line.end()
  }

  #write(): void {
    if (this.#last === null || this.#beganAt === null) return
    const leftMs = this.#timeMs - (stopwatch() - this.#beganAt)
    this.#line.overwrite(counterWords(this.#last, leftMs))
  }
}

/** Formats the progress of a search on one line. */
export function counterWords({ stories, pairsLeft, found, doing }: Progress, leftMs: number): string {
  return [
    counted(stories, 'story', 'stories'),
    `${counted(pairsLeft, 'pair')} left`,
    ...(found.length === 0 ? [] : [`${found.length} found`]),
    doingWords[doing],
    ...(leftMs >= 1_000 ? [`${spanWords(Math.floor(leftMs / 1_000) * 1_000)} left`] : []),
  ].join(' · ')
}
