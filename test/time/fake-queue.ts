import type { DueQueue } from '../../src/time/pump.ts'

interface Item {
  readonly clientId: string
  readonly dueAt: number
  readonly name: string
  /** Resolves when the item's work ends; quick items have none. */
  readonly ends?: Promise<unknown>
  /** The item that becomes due when it starts. */
  readonly makesDue?: Item
}

/** A due-queue over a list, which writes down what it started and up to which moment it was asked. */
export class FakeQueue implements DueQueue {
  readonly started: string[] = []
  /** Called once, when due work has been looked up and before the answer is given. */
  afterLook = () => {}
  #items: Item[] = []
  readonly #flying = new Map<string, Set<string>>()
  readonly #busy = new Map<string, Set<Promise<unknown>>>()

  add(...items: Item[]): void {
    this.#items.push(...items)
  }

  async nextDue(clientId: string, after = -1): Promise<number | null> {
    const dues = this.#items
      .filter((item) => item.clientId === clientId && item.dueAt > after)
      .map(({ dueAt }) => dueAt)
    const act = this.afterLook
    this.afterLook = () => {}
    act()
    return dues.length === 0 ? null : Math.min(...dues)
  }

  async start(clientId: string, until: number): Promise<number> {
    const due = this.#items.filter((item) => item.clientId === clientId && item.dueAt <= until)
    this.#items = this.#items.filter((item) => !due.includes(item))
    for (const item of due.toSorted((a, b) => a.dueAt - b.dueAt)) {
      this.started.push(`${item.name}@${until}`)
      if (item.makesDue !== undefined) this.add(item.makesDue)
      if (item.ends !== undefined) this.#hold(clientId, item.ends, item.name)
    }
    return due.length
  }

  async unfinished(clientId: string, until: number, among?: readonly string[]): Promise<string[]> {
    const due = this.#items.filter((item) => item.clientId === clientId && item.dueAt <= until)
    const names = [...due.map(({ name }) => name), ...(this.#flying.get(clientId) ?? [])]
    return among === undefined ? names : names.filter((name) => among.includes(name))
  }

  busy(clientId: string): Promise<void> | null {
    const held = [...(this.#busy.get(clientId) ?? [])]
    return held.length === 0 ? null : Promise.race(held).then(() => undefined)
  }

  #hold(clientId: string, ends: Promise<unknown>, name: string): void {
    const flying = this.#flying.get(clientId) ?? new Set()
    this.#flying.set(clientId, flying.add(name))
    const held = this.#busy.get(clientId) ?? new Set()
    this.#busy.set(clientId, held.add(ends))
    ends.finally(() => {
      held.delete(ends)
      flying.delete(name)
    })
  }
}
