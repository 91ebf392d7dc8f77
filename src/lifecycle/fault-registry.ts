import {
  type FaultCount,
  type FaultsMet,
  isUsedUp,
  type PlannedFault,
} from '../domain/fault/planned-fault.ts'

/** A planned fault as it is kept in memory. The store has its counts; these may be behind. */
export type KnownFault = PlannedFault & { -readonly [Member in keyof FaultCount]: FaultCount[Member] }

/** The planned faults in memory, the oldest first: every call and each attempt asks for them, and mostly there are
 *  none. */
export class FaultRegistry {
  readonly #all = new Map<string, KnownFault>()
  /** Those that may meet something of a client, or of nobody known. */
  readonly #byClient = new Map<string | null, readonly KnownFault[]>()

  replaceAll(faults: readonly KnownFault[]): void {
    this.#all.clear()
    for (const fault of faults) this.#all.set(fault.id, fault)
    this.#byClient.clear()
  }

  add(fault: KnownFault): void {
    this.#all.set(fault.id, fault)
    this.#byClient.clear()
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#all.delete(id)
    if (ids.length > 0) this.#byClient.clear()
  }

  /** Removes all faults, or those that belong to a client. */
  removeAll(clientId?: string): void {
    this.remove(clientId === undefined ? [...this.#all.keys()] : this.ownedBy(clientId).map(({ id }) => id))
  }

  all(): Iterable<KnownFault> {
    return this.#all.values()
  }

  /** Those that belong to a client, or to none. */
  ownedBy(clientId: string | null): readonly KnownFault[] {
    return [...this.#all.values()].filter((fault) => fault.clientId === clientId)
  }

  /** Those that are not used up and may meet something of a client, or of nobody known. */
  meeting(clientId: string | null): readonly KnownFault[] {
    if (this.#all.size === 0) return []
    const known = this.#byClient.get(clientId)
    if (known !== undefined) return known
    const found = [...this.#all.values()].filter(
      (fault) =>
        (fault.clientId === null || fault.clientId === clientId) && !isUsedUp(fault.asked, fault.hits),
    )
    this.#byClient.set(clientId, found)
    return found
  }

  /** Takes over what the store has counted. */
  met({ counts, gone }: FaultsMet): void {
    this.remove(gone)
    for (const { id, calls, hits } of counts) {
      const fault = this.#all.get(id)
      // Of two that were counted at once, the answer of the first may come last.
      if (fault === undefined || calls < fault.calls) continue
      Object.assign(fault, { calls, hits })
      if (isUsedUp(fault.asked, hits)) this.#byClient.clear()
    }
  }
}
