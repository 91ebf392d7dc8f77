import type { Keyboard } from './keys/keyboard.ts'

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
