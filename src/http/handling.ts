/** The requests that are being handled, whether anybody still waits for their answers or not. */
export class Handling {
  #count = 0
  #onNone = () => {}

  /** Counts one until its answer is there. */
  async until(answer: Promise<Response>): Promise<Response> {
    this.#count += 1
    try {
      return await answer
    } finally {
      this.#count -= 1
      if (this.#count === 0) this.#onNone()
    }
  }

  /** Resolves once there are none. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onNone = resolve
    })
  }
}
