import type { Environment, Keyboard, Terminal } from '../../src/cli/terminal.ts'

/** A terminal that remembers what was written and lets a test wait for it. */
export class FakeTerminal implements Terminal {
  readonly interactive: boolean
  readonly colours = false
  readonly columns: number | null
  readonly keyboard: Keyboard | null
  readonly env: Environment
  readonly output: string[] = []
  readonly errors: string[] = []
  readonly #input: string | null
  readonly #answer: string | null
  #changed = Promise.withResolvers<void>()

  constructor(
    env: Environment = {},
    has: {
      columns?: number
      keyboard?: Keyboard
      input?: string
      interactive?: boolean
      answer?: string
    } = {},
  ) {
    this.env = env
    this.interactive = has.interactive ?? false
    this.columns = has.columns ?? null
    this.keyboard = has.keyboard ?? null
    this.#input = has.input ?? null
    this.#answer = has.answer ?? null
  }

  readInput(): Promise<string | null> {
    return Promise.resolve(this.#input)
  }

  ask(question: string): Promise<string | null> {
    this.err(question)
    return Promise.resolve(this.#answer)
  }

  out(text: string): void {
    this.#keep(this.output, text)
  }

  err(text: string): void {
    this.#keep(this.errors, text)
  }

  overwrite(text: string): void {
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
