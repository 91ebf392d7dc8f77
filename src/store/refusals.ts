/** Thrown if SQLite cannot be loaded on this machine. The message is one line: what is missing, and where it would
 *  run. The program then ends with exit code 2. */
export class SqliteUnavailable extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s*\n\s*/g, ' '))
    this.name = 'SqliteUnavailable'
  }
}

/** Thrown if the database file cannot be used. The message is one line: the cause and the remedy. Nothing was
 *  changed. The program then ends with exit code 2. */
export class DatabaseRefused extends Error {
  /** @param cause continues the sentence "The database <file>", without a full stop
   *  @param remedy what the user can do, in one or more sentences */
  constructor(file: string, cause: string, remedy: string) {
    super(`The database ${JSON.stringify(file)} ${cause}. ${remedy}`.replaceAll(/\s*\n\s*/g, ' '))
    this.name = 'DatabaseRefused'
  }
}
