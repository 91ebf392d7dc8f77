import { ProbeFailed, type Seen } from '../application/application.ts'
import { Finding } from '../finding.ts'
import { inWords } from './expectation.ts'
import type { Stage } from './stage.ts'
import type { StagedOrder } from './staged-order.ts'

/** How an application is asked for an order, again and again. What it says is a line of what happened wherever that is
 *  new, and what cannot be seen is noted. */
export class Looks {
  readonly #order: StagedOrder
  readonly #stage: Stage
  #askHowOften = false
  #last: string | null = null

  constructor(order: StagedOrder, stage: Stage) {
    this.#order = order
    this.#stage = stage
  }

  /** From now on the question is how often something was released: where nobody counts, it is not seen. */
  askHowOften(): void {
    this.#askHowOften = true
  }

  /** What the application says of the order; null if it cannot be asked. A probe that fails is asked again, and taken
   *  for a crash once it has failed for long. @throws Finding */
  async look(): Promise<Seen | null> {
    if (!this.#order.canBeProbed) {
      this.noteUnseen()
      return null
    }
    const seen = await this.#answered()
    this.#note(inWords(seen))
    if (this.#askHowOften && seen?.effects === null)
      this.#stage.cannotSee('how often your application fulfilled the order: set `probe.effects`')
    return seen
  }

  /** Notes why the application cannot be asked for the order. */
  noteUnseen(): void {
    const { probe } = this.#stage.app
    const { ofApplication, told } = this.#order
    const needs = probe === null ? '`start` and `probe`' : '`start`'
    if (!ofApplication)
      this.#stage.cannotSee(`how your application handles an order that it has created itself: set ${needs}`)
    else if (probe === null) this.#stage.cannotSee('what your application holds the order for: give `probe`')
    else
      this.#stage.cannotSee(
        `which status your application gives the order: the answer of its start call did not identify the order, ${told}`,
      )
  }

  async #answered(): Promise<Seen | null> {
    let failure: ProbeFailed | undefined
    let seen: Seen | null = null
    const answered = await this.#stage.until(async () => {
      try {
        seen = await this.#order.probe()
        return true
      } catch (error) {
        if (!(error instanceof ProbeFailed)) throw error
        failure = error
        this.#note(error.message)
        return false
      }
    })
    if (answered || failure === undefined) return seen
    throw new Finding({
      defect: failure.status === null ? 'crashed' : 'server-error',
      did: `The probe fails: ${failure.message}`,
      requestId: this.#order.requestId,
    })
  }

  #note(words: string): void {
    if (words !== this.#last)
      this.#stage.note(`asks the application for the order: ${words}`, { about: this.#order.requestId })
    this.#last = words
  }
}
