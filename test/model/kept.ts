import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { memoryStore } from '../store/memory/store.ts'
import { wired } from '../support/wired-store.ts'

/** The data that an emulator leaves to the next one. */
export interface Kept {
  open(): Promise<Store>
  /** The emulator has been stopped. */
  close(): Promise<void>
  /** The data after a kill at this time. */
  crashed(): Promise<Kept>
}

/** @param kind of the store: see `storeKind` */
export function keptIn(folder: string, kind: string): Kept {
  const over = kind.startsWith('wired') ? (store: Store) => wired(store) : (store: Store) => store
  return kind.endsWith('memory') ? new InMemory(memoryStore(), over) : new InFile(folder, 0, over)
}

type Over = (store: Store) => Store

class InFile implements Kept {
  readonly #folder: string
  readonly #crashes: number
  readonly #file: string
  readonly #over: Over
  #store: Store | undefined

  constructor(folder: string, crashes: number, over: Over) {
    this.#over = over
    this.#folder = folder
    this.#crashes = crashes
    this.#file = join(folder, `${crashes}.db`)
  }

  async open(): Promise<Store> {
    this.#store = await openSqliteStore({ file: this.#file, durable: false })
    return this.#over(this.#store)
  }

  async close(): Promise<void> {
    await this.#store?.close()
  }

  async crashed(): Promise<Kept> {
    const crashes = this.#crashes + 1
    for (const suffix of ['', '-wal'])
      copyFileSync(this.#file + suffix, join(this.#folder, `${crashes}.db${suffix}`))
    return new InFile(this.#folder, crashes, this.#over)
  }
}

class InMemory implements Kept {
  readonly #store: Store
  readonly #over: Over

  constructor(store: Store, over: Over) {
    this.#store = store
    this.#over = over
  }

  async open(): Promise<Store> {
    return this.#over(this.#store)
  }

  async close(): Promise<void> {}

  async crashed(): Promise<Kept> {
    const copy = memoryStore()
    await copy.load(await this.#store.snapshot(), 'all')
    return new InMemory(copy, this.#over)
  }
}
