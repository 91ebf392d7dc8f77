/** An error that the user can fix. Only its message is shown. Exit code 2: wrong usage or an unusable file. 1: a
 *  check failed, or the emulator could not be reached. 126 and 127: `exec` could not run or find its command, as in
 *  shells. */
export class CliError extends Error {
  readonly exitCode: 1 | 2 | 126 | 127

  constructor(exitCode: 1 | 2 | 126 | 127, message: string) {
    super(message)
    this.name = 'GiveUp'
    this.exitCode = exitCode
  }
}
