import type { Database } from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { EmulatorError } from '../../domain/text/errors.ts'
import { type Insert, inserting, remembered } from './rows.ts'

/** Whether SQLite failed with a code or a more specific one. The error's class cannot tell: the addon uses the class
 *  that it was given last, perhaps by another copy of better-sqlite3 in this process. */
export const hasCode = (error: unknown, code: `SQLITE_${string}`): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  (error.code === code || error.code.startsWith(`${code}_`))

/** Whether SQLite refused a row because a unique value exists. */
export const isTaken = (error: unknown): boolean => hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE')

/** Lets other work run. Not by `node:timers/promises`: a test may have faked that. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs a part of a transaction in a turn of the event loop of its own. */
export type Part = <T>(verb: () => T) => Promise<T>

/** The queue of the store's verbs. They are synchronous, and take effect in the order of their calls. Group commit:
 *  verbs that wait together share a transaction, because a commit costs more than most verbs. A failing verb undoes
 *  only itself. */
export class Writer {
  private readonly sqlite: Database
  private readonly waiting: (Job | Alone)[] = []
  private working = false
  private closing: Promise<void> | undefined
  private written = 0

  constructor(sqlite: Database) {
    this.sqlite = sqlite
  }

  /** Runs a verb in a transaction; resolves with its result after the commit. If it throws, its writes are undone.
   *  It may run several times, so it must change nothing but the database. */
  readonly write = <T>(verb: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = () => {
        const answer = verb()
        return () => resolve(answer)
      }
      this.enqueue({ run, reject, reads: false })
    })

  /** Runs a verb that only reads: at once, unless earlier verbs still wait. */
  readonly read = <T>(verb: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = () => {
        try {
          const answer = verb()
          return () => resolve(answer)
        } catch (error) {
          return () => reject(error)
        }
      }
      if (this.working || this.closing) this.enqueue({ run, reject, reads: true })
      else run()()
    })

  /** Runs one transaction in many parts, so that requests are served between them. Later verbs wait for its end. If
   *  `act` rejects, nothing is written. */
  readonly writeInParts = <T>(act: (part: Part) => Promise<T>): Promise<T> =>
    this.alone(() => this.runInParts(act))

  /** Refuses all later verbs, and calls `end` once the earlier ones are done. */
  close(end: () => void): Promise<void> {
    this.closing ??= this.alone(async () => end())
    return this.closing
  }

  /** The number of committed transactions; null while verbs wait. */
  get committed(): number | null {
    return this.working ? null : this.written
  }

  private alone<T>(act: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const alone = () => act().then(resolve, (error: unknown) => reject(reasonOf(error)))
      this.enqueue({ alone, reject })
    })
  }

  private enqueue(job: Job | Alone): void {
    if (this.closing) job.reject(new Error('the store is closed'))
    else if (this.waiting.push(job) === 1 && !this.working) void this.work()
  }

  /** Runs a transaction in each turn of the event loop, so that requests are served between them. */
  private async work(): Promise<void> {
    this.working = true
    for (let [next] = this.waiting; next !== undefined; [next] = this.waiting) {
      await nextTurn()
      if ('alone' in next) {
        this.waiting.shift()
        await next.alone()
      } else this.runTogether(this.takeGroup())
    }
    this.working = false
  }

  private takeGroup(): Job[] {
    const group: Job[] = []
    for (const job of this.waiting) {
      if ('alone' in job || group.length === transactionLimit) break
      group.push(job)
    }
    this.waiting.splice(0, group.length)
    return group
  }

  private async runInParts<T>(act: (part: Part) => Promise<T>): Promise<T> {
    let isOver = false
    const part: Part = async (verb) => {
      await nextTurn()
      // A full disk ends the transaction: later writes would take effect at once.
      if (isOver || !this.sqlite.inTransaction) throw new Error('the transaction is over')
      return verb()
    }
    this.sqlite.exec('begin immediate')
    try {
      const answer = await act(part)
      this.commit()
      return answer
    } catch (error) {
      this.rollback()
      throw error
    } finally {
      isOver = true
    }
  }

  /** Runs verbs in one transaction. If one fails, each half runs on its own, down to the failing verbs: a savepoint
   *  for each verb would cost half as much as the verb. A full disk fails all that write. */
  private runTogether(jobs: readonly Job[]): void {
    let answers: (() => void)[]
    try {
      answers = this.commitTogether(jobs)
    } catch (error) {
      if (jobs.length === 1 || isFullDisk(error)) {
        for (const { reads, run, reject } of jobs) {
          if (reads) run()()
          else reject(reasonOf(error))
        }
      } else {
        const half = Math.floor(jobs.length / 2)
        this.runTogether(jobs.slice(0, half))
        this.runTogether(jobs.slice(half))
      }
      return
    }
    for (const answer of answers) answer()
  }

  private commitTogether(jobs: readonly Job[]): (() => void)[] {
    const runAll = () => jobs.map(({ run }) => run())
    if (jobs.every(({ reads }) => reads)) return runAll()
    try {
      this.sqlite.exec('begin immediate')
      const answers = runAll()
      this.commit()
      return answers
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  private commit(): void {
    this.sqlite.exec('commit')
    this.written += 1
  }

  /** Ends the transaction, unless an error such as a full disk has ended it already. */
  private rollback(): void {
    if (this.sqlite.inTransaction) this.sqlite.exec('rollback')
  }
}

/** SQLite's codes for missing space; a used-up quota is a failed write. */
const noSpace = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'] as const

const isFullDisk = (error: unknown): boolean => noSpace.some((code) => hasCode(error, code))

const reasonOf = (error: unknown): unknown => (isFullDisk(error) ? new EmulatorError('disk_full') : error)

/** Keeps the event loop from standing still for more than a few milliseconds. */
const transactionLimit = 250

interface Job {
  /** Returns the function that notifies the caller after the commit. A read does not throw. */
  readonly run: () => () => void
  readonly reject: (error: unknown) => void
  readonly reads: boolean
}

/** A job outside of the shared transactions. It does not throw. */
interface Alone {
  readonly alone: () => Promise<void>
  readonly reject: (error: unknown) => void
}

/** The functions with which the store's operations run SQL. A statement is prepared when its text is first used, and cached: so
 *  there must be few texts. */
export interface Connection extends Pick<Writer, 'write' | 'read' | 'writeInParts'> {
  readonly sqlite: Database
  /** A query builder for rare writes, whose statements are not cached. */
  readonly db: BetterSQLite3Database
  readonly insert: Insert
  readonly prepare: Database['prepare']
  /** Runs a statement.
   *  @returns the number of changed rows */
  readonly run: (text: string, ...parameters: unknown[]) => number
  /** The first column of the first row; undefined without rows. */
  readonly value: <T>(text: string, ...parameters: unknown[]) => T | undefined
  /** Returns the first column of all rows. */
  readonly values: <T>(text: string, ...parameters: unknown[]) => T[]
  readonly writer: Pick<Writer, 'committed' | 'close'>
}

export function connect(sqlite: Database): Connection {
  // Added because SQLite's own `lower` only knows ASCII letters.
  sqlite.function('lower_any', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
  const writer = new Writer(sqlite)
  const { write, read, writeInParts } = writer
  const insert = inserting(sqlite)
  return { sqlite, db: drizzle(sqlite), insert, ...statements(sqlite), write, read, writeInParts, writer }
}

function statements(sqlite: Database): Pick<Connection, 'prepare' | 'run' | 'value' | 'values'>
function statements(sqlite: Database) {
  const prepare = remembered((text: string) => sqlite.prepare(text))
  const plucked = remembered((text: string) => sqlite.prepare(text).pluck())
  return {
    prepare,
    run: (text: string, ...parameters: unknown[]) => prepare(text).run(...parameters).changes,
    value: (text: string, ...parameters: unknown[]) => plucked(text).get(...parameters),
    values: (text: string, ...parameters: unknown[]) => plucked(text).all(...parameters),
  }
}
