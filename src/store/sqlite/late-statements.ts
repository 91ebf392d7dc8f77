import type { Database, RunResult, Statement } from 'better-sqlite3'

/** A database whose statements are prepared when they are first asked: of those that are there after a start it has asked
 *  one in seven, and after a create call that is one in five. A statement takes what verbs ask of it: `run`, `get`, `all`,
 *  `iterate`, `pluck` and `raw`. */
export class LateStatements {
  readonly sqlite: Database
  readonly #unasked = new Set<LateStatement>()

  constructor(sqlite: Database) {
    const prepare = (source: string) => {
      const late: LateStatement = new LateStatement(() => {
        const statement = sqlite.prepare(source)
        this.#unasked.delete(late)
        return statement
      })
      this.#unasked.add(late)
      return late
    }
    this.sqlite = Object.create(sqlite, { prepare: { value: prepare } })
  }

  /** Prepares those that nobody has asked yet. */
  prepareAll(): void {
    for (const late of this.#unasked) late.prepare()
  }
}

type Mode = 'pluck' | 'raw'

class LateStatement implements Pick<Statement, 'run' | 'get' | 'all' | 'iterate'> {
  readonly #make
  #mode: Mode | null = null
  #statement: Statement | undefined

  constructor(make: () => Statement) {
    this.#make = make
  }

  prepare(): Statement {
    const statement = this.#make()
    if (this.#mode !== null) statement[this.#mode]()
    this.#statement = statement
    return statement
  }

  run(...values: unknown[]): RunResult {
    return (this.#statement ?? this.prepare()).run(...values)
  }

  get(...values: unknown[]): unknown {
    return (this.#statement ?? this.prepare()).get(...values)
  }

  all(...values: unknown[]): unknown[] {
    return (this.#statement ?? this.prepare()).all(...values)
  }

  iterate(...values: unknown[]): IterableIterator<unknown> {
    return (this.#statement ?? this.prepare()).iterate(...values)
  }

  pluck(): this {
    return this.#answering('pluck')
  }

  raw(): this {
    return this.#answering('raw')
  }

  #answering(mode: Mode): this {
    if (this.#mode !== mode) this.#statement?.[mode]()
    this.#mode = mode
    return this
  }
}
