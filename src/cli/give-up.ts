/** A command cannot go on, and the reason is the user's to mend. Its message is all that is shown; exit code 2 means
 *  wrong usage or an unusable file, 1 that a check failed or the emulator could not be reached. */
export class GiveUp extends Error {
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.name = 'GiveUp'
    this.exitCode = exitCode
  }
}
