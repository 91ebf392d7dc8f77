/** SQLite cannot be loaded on this machine. The message is one line: what is missing, and where it would run.
 *  The program ends with exit code 2 on it. */
export class SqliteUnavailable extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s*\n\s*/g, ' '))
    this.name = 'SqliteUnavailable'
  }
}
