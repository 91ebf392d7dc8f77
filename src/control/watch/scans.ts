import type { WatchedKind } from './kinds.ts'
import { type Filters, newest } from './look.ts'
import type { LookParts, Sighting } from './sighting.ts'

/** What is gone through, newest first. */
export interface Scan {
  readonly kind: WatchedKind
  readonly filters: Filters
  /** After so many no more are looked at. */
  readonly most: number
}

/** Somebody to whom things are shown until it has enough. */
export interface Viewer {
  readonly show: (sighting: Sighting) => Promise<void>
  readonly hasEnough: () => boolean
}

interface Round {
  readonly viewers: Viewer[]
  begun: boolean
  readonly done: Promise<void>
}

/** Goes through things for many at once. Whoever asks for the same while one round runs shares the next: so the store
 *  is never gone through more than once at a time for one question, however many ask it. */
export class Scans {
  readonly #parts: LookParts
  /** The latest round for each question. */
  readonly #rounds = new Map<string, Round>()

  constructor(parts: LookParts) {
    this.#parts = parts
  }

  /** Shows things as they are from this call on; resolves when the viewer has enough or there are no more. */
  show(scan: Scan, viewer: Viewer): Promise<void> {
    const key = JSON.stringify(scan)
    const latest = this.#rounds.get(key)
    const round = latest === undefined || latest.begun ? this.#roundAfter(latest, scan, key) : latest
    round.viewers.push(viewer)
    return round.done
  }

  #roundAfter(latest: Round | undefined, scan: Scan, key: string): Round {
    const before = latest?.done.catch(() => undefined) ?? Promise.resolve()
    const done = before.then(async () => {
      round.begun = true
      try {
        await this.#goThrough(scan, round.viewers)
      } finally {
        if (this.#rounds.get(key) === round) this.#rounds.delete(key)
      }
    })
    const round: Round = { viewers: [], begun: false, done }
    this.#rounds.set(key, round)
    return round
  }

  async #goThrough({ kind, filters, most }: Scan, all: readonly Viewer[]): Promise<void> {
    let viewers = all
    for await (const sighting of newest({ kind, filters }, this.#parts, most)) {
      viewers = viewers.filter((viewer) => !viewer.hasEnough())
      if (viewers.length === 0) return
      for (const viewer of viewers) await viewer.show(sighting)
    }
  }
}
