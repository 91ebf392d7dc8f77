/** An element of a list in a JSON document, as its text. */
export interface Element {
  /** Counted from 1, over all lists. */
  readonly n: number
  readonly text: string
}

/** What the end of a document says about it. */
export interface Ending {
  /** Whether the document ends before its last list does. */
  readonly isCut: boolean
  /** How many elements were too large to read. */
  readonly tooLarge: number
}

/** The largest element that is read, in bytes. */
const mostBytes = 16 * 1024 * 1024

/** The longest name of a list. */
const nameBytes = 200

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const colon = 0x3a
const comma = 0x2c

interface Level {
  readonly isList: boolean
  /** The name of the field that is being read. */
  name: string
}

/** Finds the objects in the lists of a JSON document while it is read, one at a time: a capture of 200 MB is never in
 *  memory as a whole. */
export class ListElements {
  /** The paths of the lists, such as `log.entries`; an empty one is the document itself. */
  readonly #lists: ReadonlySet<string>
  readonly #levels: Level[] = []
  #n = 0
  #tooLarge = 0
  #isInString = false
  #isEscaped = false
  #isName = false
  #name: number[] = []
  /** The pieces of the element that is being read; null between elements, and in one that is too large. */
  #pieces: Buffer[] | null = null
  #bytes = 0
  /** The number of open braces and brackets in the element; 0 between elements. */
  #depth = 0

  constructor(lists: readonly string[]) {
    this.#lists = new Set(lists)
  }

  /** Reads the next bytes, and yields the elements that end in them. */
  *read(chunk: Buffer): Generator<Element> {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (this.#isInString) {
        this.#inString(byte)
        continue
      }
      if (byte === quote) {
        this.#isInString = true
        this.#name = []
        continue
      }
      if (this.#depth > 0) {
        if (byte === openBrace || byte === openBracket) this.#depth++
        else if (byte === closeBrace || byte === closeBracket) this.#depth--
        if (this.#depth === 0) yield* this.#end(chunk.subarray(start, at + 1))
      } else if (byte === openBrace && this.#isInList()) {
        this.#depth = 1
        this.#pieces = []
        this.#bytes = 0
        start = at
      } else this.#between(byte)
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(start))
  }

  end(): Ending {
    return { isCut: this.#levels.length > 0 || this.#depth > 0, tooLarge: this.#tooLarge }
  }

  #inString(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#isInString = false
      const level = this.#levels.at(-1)
      if (this.#isName && level !== undefined) level.name = Buffer.from(this.#name).toString()
    } else if (this.#isName && this.#name.length < nameBytes && byte !== undefined) this.#name.push(byte)
  }

  #between(byte: number | undefined): void {
    const level = this.#levels.at(-1)
    if (byte === openBrace || byte === openBracket) {
      this.#levels.push({ isList: byte === openBracket, name: '' })
      this.#isName = byte === openBrace
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#levels.pop()
      this.#isName = false
    } else if (byte === colon) this.#isName = false
    else if (byte === comma) this.#isName = level?.isList === false
  }

  /** Whether an object that begins here is an element of a wanted list. */
  #isInList(): boolean {
    if (this.#levels.at(-1)?.isList !== true) return false
    const names = this.#levels.filter(({ isList }) => !isList).map(({ name }) => name)
    return this.#lists.has(names.join('.'))
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > mostBytes) this.#pieces = null
    this.#pieces?.push(Buffer.from(piece))
  }

  *#end(last: Buffer): Generator<Element> {
    this.#n++
    this.#keep(last)
    if (this.#pieces === null) this.#tooLarge++
    else yield { n: this.#n, text: Buffer.concat(this.#pieces).toString('utf8') }
    this.#pieces = null
  }
}

/** Finds the lines of a file while it is read; like `ListElements`, without lists. */
export class Lines {
  #n = 0
  #tooLarge = 0
  #pieces: Buffer[] | null = []
  #bytes = 0

  end(): Ending {
    return { isCut: false, tooLarge: this.#tooLarge }
  }

  *read(chunk: Buffer): Generator<Element> {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      this.#keep(chunk.subarray(start, end))
      yield* this.#line()
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
  }

  /** The last line, if no line end follows it. */
  *rest(): Generator<Element> {
    if (this.#bytes > 0) yield* this.#line()
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > mostBytes) this.#pieces = null
    if (piece.length > 0) this.#pieces?.push(Buffer.from(piece))
  }

  *#line(): Generator<Element> {
    this.#n++
    if (this.#pieces === null) this.#tooLarge++
    else {
      const text = Buffer.concat(this.#pieces).toString('utf8').trim()
      if (text !== '') yield { n: this.#n, text }
    }
    this.#pieces = []
    this.#bytes = 0
  }
}
