import type { Environment, Terminal } from '../../src/cli/terminal.ts'

/** A terminal that remembers what was written and lets a test wait for it. */
export class FakeTerminal implements Terminal {
  readonly interactive = false
  readonly colours = false
  readonly env: Environment
  readonly output: string[] = []
  readonly errors: string[] = []
  #changed = Promise.withResolvers<void>()

  constructor(env: Environment = {}) {
    this.env = env
  }

  out(text: string): void {
    this.#keep(this.output, text)
  }

  err(text: string): void {
    this.#keep(this.errors, text)
  }

  /** The first text written, before or from now on, that fits. */
  async written(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = [...this.output, ...this.errors].find((text) => pattern.test(text))
      if (found !== undefined) return found
      await this.#changed.promise
    }
  }

  #keep(lines: string[], text: string): void {
    lines.push(text)
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers<void>()
    resolve()
  }
}
