/** The process of the application under test, if this run has started it. */
export interface ApplicationProcess {
  /** Kills the process without a warning and starts it again. Resolves once it accepts connections.
   *  @throws Error if it does not start again */
  restart(): Promise<void>
  /** What the process has written to its standard output and error so far, at most the last million characters. */
  output(): string
}
