import { styleText } from 'node:util'

type Look = Parameters<typeof styleText>[0]

/** Dresses words for a terminal, or leaves them as they are. */
export type Paint = (look: Look, words: string) => string

/** How words are dressed where colours are wanted, and where they are not. */
export const painter = (colours: boolean): Paint =>
  colours
    ? // What is not there is not dressed: it could not be left out any more.
      (look, words) => (words === '' ? '' : styleText(look, words, { validateStream: false }))
    : (_, words) => words

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What a command reads and writes besides its arguments; tests hand in their own. */
export interface Terminal {
  readonly env: Environment
  /** Standard output is a terminal: a person reads it. */
  readonly interactive: boolean
  readonly colours: boolean
  /** How many characters fit into a line; null where there are no such lines. */
  readonly columns: number | null
  /** What a person types on, if there is one at this terminal. */
  readonly keyboard: Keyboard | null
  /** Standard input up to its end; null where a person would have to type it. */
  readInput(): Promise<string | null>
  /** Writes to standard output and ends the line. */
  out(text: string): void
  /** Writes to standard error and ends the line. */
  err(text: string): void
  /** Writes to standard error as it is: for a line that is written over. */
  overwrite(text: string): void
}

/** The terminal of a person who sits at it: its keys one by one, and what else only such a terminal can do. */
export interface Keyboard {
  /** Whether keys come to us and not to another job of the shell. */
  isOurs(): boolean
  /** Passes on what is typed from now on; nothing is shown of it, and Ctrl-C is a key like any other.
   *  @returns gives the terminal back as it was */
  open(onTyped: (typed: string) => void): () => void
  /** Sends a signal as the terminal itself would: to all processes of this job. */
  signal(name: 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'): void
  /** Writes without ending the line. */
  show(text: string): void
}
