/** The environment variables of the process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The input and output of a command, and its environment; tests pass their own. */
export interface Terminal {
  readonly env: Environment
  /** Whether standard output is a terminal. */
  readonly interactive: boolean
  readonly colours: boolean
  /** The width of the terminal in characters; null for no limit. */
  readonly columns: number | null
  /** The keyboard of the terminal; null if there is none. */
  readonly keyboard: Keyboard | null
  /** Reads standard input to its end; null if it is a terminal. */
  readInput(): Promise<string | null>
  /** Asks a question and reads a line; null if there is no terminal to answer on. */
  ask(question: string): Promise<string | null>
  /** Writes a line to standard output. */
  out(text: string): void
  /** Writes a line to standard error. */
  err(text: string): void
  /** Writes to standard error without a line end: for a line that is overwritten. */
  overwrite(text: string): void
}

/** The keyboard of a terminal: single keys, job control and signals. */
export interface Keyboard {
  /** Whether this job of the shell receives the keys. */
  isOurs(): boolean
  /** Reads keys without echo; Ctrl-C is a key like any other.
   *  @returns restores the terminal */
  open(onTyped: (typed: string) => void): () => void
  /** Sends a signal to all processes of this job, as the terminal would. */
  signal(name: 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'): void
  /** Writes without a line end. */
  show(text: string): void
}
