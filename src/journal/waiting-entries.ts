import type { JournalEntry } from '../domain/journal-entry.ts'
import { type JournalBound, surplusOf } from '../store/journal-bound.ts'
import {
  Block,
  bytesAt,
  copy,
  hasRoom,
  type Label,
  labelAt,
  labelBytes,
  mostBytesOf,
  pack,
  packLabel,
  textsOf,
  unpack,
} from './packed-entry.ts'
import type { RawEntry } from './tidied.ts'

/** So many blocks with nothing in them wait to be filled again; the system gets the others back. */
const spareBlocks = 16

/** Entries in the order in which they came, outside of V8's heap. Thousands wait, nobody asks for most of them, and what
 *  stays in the heap for longer than a request is copied twice there and collected the long way: it took a tenth of a
 *  create call. */
export class WaitingEntries {
  /** The oldest first. */
  #blocks: Block[] = []
  readonly #spare: Block[] = []
  /** Those that cannot be packed, by their numbers. */
  readonly #others = new Map<number, RawEntry | JournalEntry>()
  /** Whose entries have come since none waited. */
  readonly #clients: (string | null)[] = []
  readonly #numberOfClient = new Map<string | null, number>()
  /** How many wait of each of them. */
  readonly #counts: number[] = []
  #length = 0
  #size = 0
  #last = 0

  get length(): number {
    return this.#length
  }

  /** About how many characters they take. */
  get size(): number {
    return this.#size
  }

  /** The number of the entry that came last; they count up. */
  get last(): number {
    return this.#last
  }

  /** @param size about how many characters it takes */
  add(entry: RawEntry | JournalEntry, size: number): void {
    this.#last += 1
    const label = { number: this.#last, whose: this.#whose(entry.clientId), size }
    const texts = 'headerLines' in entry ? textsOf(entry) : null
    if ('headerLines' in entry && texts !== null)
      pack(entry, texts, label, this.#withRoom(this.#blocks, mostBytesOf(texts)))
    else {
      packLabel(label, this.#withRoom(this.#blocks, labelBytes))
      this.#others.set(label.number, entry)
    }
    this.#length += 1
    this.#size += size
    this.#counts[label.whose] = (this.#counts[label.whose] ?? 0) + 1
  }

  /** Takes the oldest. @param upTo the number of the last that may be taken */
  take(most: number, upTo: number): (RawEntry | JournalEntry)[] {
    const taken: (RawEntry | JournalEntry)[] = []
    for (let block = this.#oldest(); block !== undefined && taken.length < most; block = this.#oldest()) {
      const label = labelAt(block, block.begin)
      if (label.number > upTo) break
      const entry =
        unpack(block, block.begin, this.#clients[label.whose] ?? null) ?? this.#others.get(label.number)
      if (entry === undefined) throw new Error('an entry that is nowhere')
      taken.push(entry)
      this.#leave(block, label)
    }
    return taken
  }

  /** Drops what would give way at once if all were written. @returns how many */
  passOver(bound: JournalBound): number {
    if (this.#length <= bound.all) return 0
    const surplus = surplusOf(new Map(this.#counts.entries()), bound)
    let all = 0
    for (const count of surplus.values()) all += count
    let left = all
    this.#sift(
      ({ whose }) => {
        const its = surplus.get(whose) ?? 0
        if (its === 0) return true
        surplus.set(whose, its - 1)
        left -= 1
        return false
      },
      () => left > 0,
    )
    return all
  }

  /** Drops those of a client, or all. */
  forget(clientId: string | undefined): void {
    const whose = clientId === undefined ? undefined : this.#numberOfClient.get(clientId)
    if (clientId !== undefined && whose === undefined) return
    this.#sift(
      (label) => whose !== undefined && label.whose !== whose,
      () => true,
    )
  }

  /** Goes over them, the oldest first. Those that stay move to other blocks: where they stand, few would hold the room of
   *  thousands that went. */
  #sift(stays: (label: Label) => boolean, goesOn: () => boolean): void {
    const kept: Block[] = []
    for (let block = this.#oldest(); block !== undefined && goesOn(); block = this.#oldest()) {
      const from = block
      const label = labelAt(from, from.begin)
      if (!stays(label)) this.#leave(from, label)
      else {
        const bytes = bytesAt(from, from.begin)
        copy(from, from.begin, this.#withRoom(kept, bytes))
        from.begin += bytes
      }
    }
    this.#blocks = [...kept, ...this.#blocks]
  }

  /** The block with the oldest entry. */
  #oldest(): Block | undefined {
    let [block] = this.#blocks
    while (block !== undefined && block.begin === block.end) {
      this.#blocks.shift()
      block.begin = 0
      block.end = 0
      if (this.#spare.length < spareBlocks) this.#spare.push(block)
      block = this.#blocks[0]
    }
    return block
  }

  /** The oldest entry of a block waits no longer. */
  #leave(block: Block, { number, whose, size }: Label): void {
    block.begin += bytesAt(block, block.begin)
    this.#length -= 1
    this.#size -= size
    this.#counts[whose] = (this.#counts[whose] ?? 0) - 1
    this.#others.delete(number)
    if (this.#length > 0) return
    this.#clients.length = 0
    this.#counts.length = 0
    this.#numberOfClient.clear()
  }

  #whose(clientId: string | null): number {
    const known = this.#numberOfClient.get(clientId)
    if (known !== undefined) return known
    this.#numberOfClient.set(clientId, this.#clients.length)
    return this.#clients.push(clientId) - 1
  }

  /** The last of some blocks, or a new one behind it. */
  #withRoom(blocks: Block[], bytes: number): Block {
    const last = blocks.at(-1)
    if (last !== undefined && hasRoom(last, bytes)) return last
    const next = this.#spare.pop() ?? new Block()
    blocks.push(next)
    return next
  }
}
