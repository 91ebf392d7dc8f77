import { operations } from '../domain/journal-entry.ts'
import type { RawEntry } from './tidied.ts'

/** How large a block is, bytes. */
const blockBytes = 256 * 1024

/** Room for entries, one behind the other. */
export class Block {
  readonly bytes = Buffer.allocUnsafeSlow(blockBytes)
  /** The same room as numbers. */
  readonly words = new Int32Array(this.bytes.buffer)
  readonly doubles = new Float64Array(this.bytes.buffer)
  /** Where its oldest entry stands. */
  begin = 0
  /** Where the next one will. */
  end = 0
}

/** What the list in which it waits says of an entry. */
export interface Label {
  /** Counts up from the oldest. */
  readonly number: number
  /** A number of its client. */
  readonly whose: number
  /** About how many characters it takes. */
  readonly size: number
}

// An entry begins with four doubles, at a multiple of eight bytes.
const doubles = { wallAt: 0, at: 1, ms: 2, number: 3 }
const words = {
  bytes: 8,
  whose: 9,
  size: 10,
  status: 11,
  operation: 12,
  textBytes: 13,
  texts: 14,
  lengths: 15,
}
/** In the place of a length: there is no such text. */
const none = -1

/** The texts of an entry: all of them as one, and where each ends. */
interface Texts {
  readonly each: readonly (string | null)[]
  readonly whole: string
}

/** The texts of an entry, or null if it cannot be packed: a block may be too small for it, and UTF-8 has no half of a
 *  surrogate pair. */
export function textsOf(entry: RawEntry): Texts | null {
  const { id, requestId, method, path, headerLines, body, response, diagnosis, notes } = entry
  const cause = diagnosis === null ? null : JSON.stringify(diagnosis)
  const each = [id, requestId, method, path, headerLines, body, response, cause, ...notes]
  const texts = { each, whole: each.join('') }
  return mostBytesOf(texts) <= blockBytes && texts.whole.isWellFormed() ? texts : null
}

/** So many bytes are enough for an entry with these texts. */
export const mostBytesOf = ({ each, whole }: Texts): number => textAt(0, each.length) + 3 * whole.length + 7

/** How many bytes a label takes alone. */
export const labelBytes = 4 * words.lengths + 4

/** Whether a block has so much room left. */
export const hasRoom = (block: Block, bytes: number): boolean => block.end + bytes <= blockBytes

/** Packs an entry behind the others of a block that has room for it. */
export function pack(entry: RawEntry, { each, whole }: Texts, label: Label, block: Block): void {
  const at = block.end
  const word = at / 4
  for (let n = 0; n < each.length; n++) block.words[word + words.lengths + n] = each[n]?.length ?? none
  const start = textAt(at, each.length)
  const textBytes = block.bytes.write(whole, start)
  block.words[word + words.textBytes] = textBytes
  block.words[word + words.texts] = each.length
  block.words[word + words.status] = entry.status
  block.words[word + words.operation] = entry.operation === null ? none : operations.indexOf(entry.operation)
  block.doubles[at / 8 + doubles.wallAt] = entry.wallAt
  block.doubles[at / 8 + doubles.at] = entry.at
  block.doubles[at / 8 + doubles.ms] = entry.ms
  end(block, label, start + textBytes)
}

/** Packs the label alone of an entry that is kept elsewhere. */
export function packLabel(label: Label, block: Block): void {
  block.words[block.end / 4 + words.textBytes] = none
  end(block, label, textAt(block.end, 0))
}

/** Copies a packed entry behind the others of a block that has room for it. */
export function copy(from: Block, at: number, to: Block): void {
  const bytes = bytesAt(from, at)
  from.bytes.copy(to.bytes, to.end, at, at + bytes)
  to.end += bytes
}

/** How many bytes an entry takes in its block. */
export const bytesAt = (block: Block, at: number): number => wordAt(block, at, words.bytes)

export const labelAt = (block: Block, at: number): Label => ({
  number: doubleAt(block, at, doubles.number),
  whose: wordAt(block, at, words.whose),
  size: wordAt(block, at, words.size),
})

/** @returns null if only its label was packed */
export function unpack(block: Block, at: number, clientId: string | null): RawEntry | null {
  const textBytes = wordAt(block, at, words.textBytes)
  if (textBytes === none) return null
  const count = wordAt(block, at, words.texts)
  const start = textAt(at, count)
  const whole = block.bytes.toString('utf8', start, start + textBytes)
  let from = 0
  const texts = Array.from({ length: count }, (_, n) => {
    const length = wordAt(block, at, words.lengths + n)
    if (length === none) return null
    from += length
    return whole.slice(from - length, from)
  })
  const [id, requestId, method, path, headerLines, body, response, cause, ...notes] = texts
  return {
    id: id ?? '',
    wallAt: doubleAt(block, at, doubles.wallAt),
    at: doubleAt(block, at, doubles.at),
    clientId,
    operation: operations[wordAt(block, at, words.operation)] ?? null,
    requestId: requestId ?? null,
    method: method ?? '',
    path: path ?? '',
    headerLines: headerLines ?? '',
    body: body ?? '',
    status: wordAt(block, at, words.status),
    response: response ?? '',
    ms: doubleAt(block, at, doubles.ms),
    notes: notes.map((note) => note ?? ''),
    diagnosis: cause === null || cause === undefined ? null : JSON.parse(cause),
  }
}

function end(block: Block, { number, whose, size }: Label, textEnd: number): void {
  const at = block.end
  const next = 8 * Math.ceil(textEnd / 8)
  block.doubles[at / 8 + doubles.number] = number
  block.words[at / 4 + words.bytes] = next - at
  block.words[at / 4 + words.whose] = whose
  block.words[at / 4 + words.size] = size
  block.end = next
}

/** Where the texts of an entry begin. */
const textAt = (at: number, count: number): number => at + 4 * (words.lengths + count)
const wordAt = (block: Block, at: number, word: number): number => block.words[at / 4 + word] ?? 0
const doubleAt = (block: Block, at: number, double: number): number => block.doubles[at / 8 + double] ?? 0
