/** How large a block is, bytes. */
const blockBytes = 256 * 1024
/** So many blocks with nothing in them wait to be filled again; the system gets the others back. */
const spareBlocks = 16

/** Keeps texts outside of V8's heap, for whoever has thousands of them and reads few. What stays in the heap for longer
 *  than a request is copied twice, and collected the long way. */
export class TextBlocks {
  #current: Block | null = null
  readonly #spare: Block[] = []

  /** @returns null for what it can't keep: more than a block takes, or half a surrogate pair, which UTF-8 hasn't */
  keep(texts: readonly string[]): KeptTexts | null {
    const whole = texts.join('')
    const mostBytes = 3 * whole.length
    if (mostBytes > blockBytes || !whole.isWellFormed()) return null
    const block = this.#blockFor(mostBytes)
    const start = block.end
    block.end += block.bytes.write(whole, start)
    block.inUse += 1
    return new KeptTexts(this, block, start, texts)
  }

  /** A text of the block is not needed any more. */
  leave(block: Block): void {
    block.inUse -= 1
    if (block.inUse > 0) return
    block.end = 0
    if (block !== this.#current && this.#spare.length < spareBlocks) this.#spare.push(block)
  }

  #blockFor(bytes: number): Block {
    const current = this.#current
    if (current !== null && current.end + bytes <= blockBytes) return current
    const next = this.#spare.pop() ?? { bytes: Buffer.allocUnsafeSlow(blockBytes), end: 0, inUse: 0 }
    this.#current = next
    return next
  }
}

interface Block {
  readonly bytes: Buffer
  /** How far it is filled. */
  end: number
  /** How many texts in it are still needed. */
  inUse: number
}

/** Texts that were kept together. Their room is given back once they are taken or dropped. */
export class KeptTexts {
  readonly #blocks: TextBlocks
  /** null once they are gone; whoever keeps this after that would keep all of it. */
  #block: Block | null
  readonly #start: number
  readonly #end: number
  readonly #lengths: readonly number[]

  constructor(blocks: TextBlocks, block: Block, start: number, texts: readonly string[]) {
    this.#blocks = blocks
    this.#block = block
    this.#start = start
    this.#end = block.end
    this.#lengths = texts.map(({ length }) => length)
  }

  /** The texts in their order; they can be taken once. */
  take(): string[] {
    if (this.#block === null) throw new Error('texts that are no longer kept')
    const whole = this.#block.bytes.toString('utf8', this.#start, this.#end)
    this.drop()
    let at = 0
    return this.#lengths.map((length) => {
      at += length
      return whole.slice(at - length, at)
    })
  }

  /** Nobody will take them. */
  drop(): void {
    if (this.#block === null) return
    this.#blocks.leave(this.#block)
    this.#block = null
  }
}
