/** A command cannot go on, and the reason is the user's to mend. Its message is all that is shown; exit code 2 means
 *  wrong usage or an unusable file, 1 that a check failed or the emulator could not be reached; 126 and 127 that `exec`
 *  could not run or find its command, as shells have it. */
export class CliError extends Error {
  readonly exitCode: 1 | 2 | 126 | 127

  constructor(exitCode: 1 | 2 | 126 | 127, message: string) {
    super(message)
    this.name = 'GiveUp'
    this.exitCode = exitCode
  }
}
