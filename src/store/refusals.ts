/** SQLite cannot be loaded on this machine. The message is one line: what is missing, and where it would run.
 *  The program ends with exit code 2 on it. */
export class SqliteUnavailable extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s*\n\s*/g, ' '))
    this.name = 'SqliteUnavailable'
  }
}

/** The database file cannot be used. The message is one line: the cause and the remedy. Nothing was changed.
 *  The program ends with exit code 2 on it. */
export class DatabaseRefused extends Error {
  /** @param cause goes on from "The database <file>", without a full stop
   *  @param remedy what to do, as one or more sentences */
  constructor(file: string, cause: string, remedy: string) {
    super(`The database ${JSON.stringify(file)} ${cause}. ${remedy}`.replaceAll(/\s*\n\s*/g, ' '))
    this.name = 'DatabaseRefused'
  }
}
