import { after } from '../../time/timers.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** What an inbox has got, and who waits for more. */
export class Arrivals {
  readonly all: ReceivedWebhook[] = []
  /** Those that somebody has been given as the next. */
  readonly taken = new Set<ReceivedWebhook>()
  /** In the order in which they began to wait: who waits longer looks first. */
  readonly #looks = new Set<() => void>()
  readonly #closed = Promise.withResolvers<undefined>()
  isClosed = false

  add(webhook: ReceivedWebhook): void {
    this.all.push(webhook)
    for (const look of this.#looks) look()
  }

  /** Looks now, and again whenever something comes, until there is what it looks for.
   *  @param look a test's own function may be part of it: what it throws ends this wait, and disturbs no other
   *  @returns undefined when time is up, or the inbox closed */
  async until<T>(look: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
    const found = look()
    if (found !== undefined) return found
    const end = Promise.withResolvers<T | undefined>()
    const lookAgain = () => {
      try {
        const come = look()
        if (come === undefined) return
        end.resolve(come)
      } catch (error) {
        end.reject(error)
      }
      this.#looks.delete(lookAgain)
    }
    this.#looks.add(lookAgain)
    const stopClock = after(timeoutMs, () => end.resolve(undefined))
    try {
      return await Promise.race([end.promise, this.#closed.promise])
    } finally {
      stopClock()
      this.#looks.delete(lookAgain)
    }
  }

  /** Ends all waits. */
  close(): void {
    this.isClosed = true
    this.#closed.resolve(undefined)
  }
}
