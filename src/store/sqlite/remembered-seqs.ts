/** More are not under way at once but where whole worlds were emptied meanwhile. */
const mostRemembered = 10_000

/** Where rows stand that will soon be written again, so that nobody has to look for them. Whoever writes one checks that it
 *  still is the one: after a reset another may stand there. */
export class RememberedSeqs {
  readonly #seqs = new Map<string, number>()

  add(id: string, seq: number): void {
    if (this.#seqs.size >= mostRemembered) this.#seqs.clear()
    this.#seqs.set(id, seq)
  }

  /** The `seq` of a row, once. */
  take(id: string): number | undefined {
    const seq = this.#seqs.get(id)
    if (seq !== undefined) this.#seqs.delete(id)
    return seq
  }
}
