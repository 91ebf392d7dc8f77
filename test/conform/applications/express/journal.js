import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Stores values in a file, one JSON line for each change. A process that is killed while it writes leaves half a line,
 *  which is ignored. */
export class Journal {
  #file

  /** @param file null to store nothing */
  constructor(file) {
    this.#file = file
  }

  /** Reads all values, oldest first. */
  read() {
    if (this.#file === null || !existsSync(this.#file)) return []
    const lines = readFileSync(this.#file, 'utf8').split('\n')
    if (lines.at(-1) !== '') appendFileSync(this.#file, '\n')
    return lines.flatMap(parsed)
  }

  /** Returns once the value is written. */
  append(value) {
    if (this.#file !== null) appendFileSync(this.#file, `${JSON.stringify(value)}\n`)
  }
}

function parsed(line) {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
