/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What a command reads and writes besides its arguments; tests hand in their own. */
export interface Terminal {
  readonly env: Environment
  /** Standard output is a terminal: a person reads it. */
  readonly interactive: boolean
  readonly colours: boolean
  /** Writes to standard output and ends the line. */
  out(text: string): void
  /** Writes to standard error and ends the line. */
  err(text: string): void
}
