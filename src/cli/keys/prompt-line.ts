import type { Keyboard, Terminal } from '../terminal.ts'

/** The terminal sequence that erases the current line. */
const erase = '\r\u001b[K'

/** The line in which the user types. Other output is written above it. */
export class PromptLine {
  readonly #terminal: Terminal
  readonly #keyboard: Keyboard
  #text: string | null = null

  constructor(terminal: Terminal, keyboard: Keyboard) {
    this.#terminal = terminal
    this.#keyboard = keyboard
  }

  /** Replaces the text of the line; null removes the line. */
  show(text: string | null): void {
    if (this.#text !== null) this.#keyboard.show(erase)
    this.#text = text
    if (text !== null) this.#keyboard.show(text)
  }

  /** A terminal for all other output, which appears above the input line. */
  get above(): Terminal {
    const terminal = this.#terminal
    return {
      env: terminal.env,
      interactive: terminal.interactive,
      colours: terminal.colours,
      get columns() {
        return terminal.columns
      },
      keyboard: terminal.keyboard,
      readInput: () => terminal.readInput(),
      ask: (question) => terminal.ask(question),
      out: (text) => this.#write(() => terminal.out(text)),
      err: (text) => this.#write(() => terminal.err(text)),
      overwrite: (text) => terminal.overwrite(text),
    }
  }

  #write(write: () => void): void {
    const text = this.#text
    this.show(null)
    write()
    this.show(text)
  }
}
