/** A power of two. Two ids out of a thousand that are under way at once share a place with another. */
const places = 8_192
/** How many characters of an id, from its end, say where it is remembered. */
const read = 8

/** Where rows stand that will soon be written again, so that nobody has to look for them: most of them, as the latest of two
 *  ids that share a place is the one that is remembered. Whoever writes a row checks that it still is the one: after a reset
 *  another may stand there.
 *
 *  Not a `Map`: see `SmallMap`. */
export class RememberedSeqs {
  readonly #ids: (string | null)[] = Array.from({ length: places }, () => null)
  readonly #seqs = new Float64Array(places)

  add(id: string, seq: number): void {
    const place = placeOf(id)
    this.#ids[place] = id
    this.#seqs[place] = seq
  }

  /** The `seq` of a row, once. */
  take(id: string): number | undefined {
    const place = placeOf(id)
    if (this.#ids[place] !== id) return undefined
    this.#ids[place] = null
    return this.#seqs[place]
  }
}

function placeOf(id: string): number {
  let sum = 0
  for (let at = Math.max(0, id.length - read); at < id.length; at++)
    sum = (Math.imul(sum, 31) + id.charCodeAt(at)) | 0
  return (sum ^ (sum >>> 13)) & (places - 1)
}
