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
