/** The requests that are being handled, whether anybody still waits for their answers or not. */
export class Handling {
  #count = 0
  #onNone = () => {}

  /** Counts one until its answer is there. */
  until(answer: Promise<Response>): Promise<Response> {
    this.#count += 1
    answer.then(this.#end, this.#end)
    return answer
  }

  /** Resolves once there are none. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onNone = resolve
    })
  }

  readonly #end = (): void => {
    this.#count -= 1
    if (this.#count === 0) this.#onNone()
  }
}
