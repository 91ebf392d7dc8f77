import type { Keyboard, Terminal } from '../terminal.ts'

/** Erases the line in which the cursor stands. */
const erase = '\r\u001b[K'

/** The line in which something is typed. Other lines may be written meanwhile: it stays below them. */
export class PromptLine {
  readonly #terminal: Terminal
  readonly #keyboard: Keyboard
  #text: string | null = null

  constructor(terminal: Terminal, keyboard: Keyboard) {
    this.#terminal = terminal
    this.#keyboard = keyboard
  }

  /** Shows a text in place of the one before; with null the line is gone. */
  show(text: string | null): void {
    if (this.#text !== null) this.#keyboard.show(erase)
    this.#text = text
    if (text !== null) this.#keyboard.show(text)
  }

  /** The terminal as everything else has to write to it. */
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
