import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

const mostLines = 20
const mostCharacters = 64 * 1024

/** The last lines of an output, whatever its length. */
export class Tail {
  readonly #decoder = new StringDecoder('utf8')
  #text = ''

  add(chunk: Buffer): void {
    this.#text = (this.#text + this.#decoder.write(chunk)).slice(-mostCharacters)
  }

  get text(): string {
    return stripVTControlCharacters(this.#text)
  }

  lines(): string[] {
    const lines = this.text.split(/\r?\n/)
    return lines.filter((line) => line.trim() !== '').slice(-mostLines)
  }
}
