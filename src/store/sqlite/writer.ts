import type { Database } from 'better-sqlite3'
import { EmulatorError } from '../../domain/errors.ts'
import { hasCode } from './sqlite-errors.ts'

/** Runs a write verb in a transaction; resolves with its answer once that is committed.
 *  A verb is synchronous, and whatever it throws undoes what it wrote. It may be run twice, or be undone after it has
 *  ended, so what it remembers beside the database is a hint that its reader checks.
 *  @param how `isLast`: what was asked for after it is written in a later turn, so that its caller can act first */
export type Write = <T>(verb: () => T, how?: { isLast: boolean }) => Promise<T>

/** The one place through which everything is written.
 *
 *  Group commit: the verbs called in one turn of the event loop share a transaction, because a commit costs
 *  more than most verbs. One that throws takes nothing else with it. Nothing outside of the store has to know for
 *  anything to be right; the outbox only times its calls so that more of them share one. */
export class Writer {
  private readonly sqlite: Database
  private readonly begin
  private readonly commit
  private readonly rollback
  private readonly savepoint
  private readonly undo
  private readonly release
  private waiting: Job[] = []
  /** How many verbs have been committed. */
  written = 0

  constructor(sqlite: Database) {
    this.sqlite = sqlite
    this.begin = sqlite.prepare('begin immediate')
    this.commit = sqlite.prepare('commit')
    this.rollback = sqlite.prepare('rollback')
    this.savepoint = sqlite.prepare('savepoint verb')
    this.undo = sqlite.prepare('rollback to verb')
    this.release = sqlite.prepare('release verb')
  }

  readonly write: Write = (verb, { isLast } = { isLast: false }) =>
    new Promise((resolve, reject) => {
      const run = () => {
        const answer = verb()
        return () => resolve(answer)
      }
      if (this.waiting.push({ run, reject, isLast }) === 1) this.flushSoon()
    })

  /** Commits all that waits, before the database closes. */
  flush(): void {
    while (this.waiting.length > 0) this.flushOnce()
  }

  /** A transaction in each turn, so that requests are served between them. */
  private flushSoon(): void {
    setImmediate(() => {
      if (this.waiting.length > 0) this.flushOnce()
      if (this.waiting.length > 0) this.flushSoon()
    })
  }

  private flushOnce(): void {
    const jobs = this.waiting.slice(0, transactionLimit)
    const last = jobs.findIndex(({ isLast }) => isLast)
    if (last !== -1) jobs.length = last + 1
    this.waiting = this.waiting.slice(jobs.length)
    this.runTogether(jobs)
  }

  private runTogether(jobs: readonly Job[]): void {
    try {
      this.begin.run()
      const answers = this.runAll(jobs)
      this.commit.run()
      this.written += jobs.length
      for (const answer of answers) answer()
    } catch (error) {
      if (this.sqlite.inTransaction) this.rollback.run()
      for (const job of jobs) job.reject(reasonOf(error))
    }
  }

  /** A savepoint for each verb would cost half as much as the verb. So they come in a second run, for the few
   *  groups in which one throws. */
  private runAll(jobs: readonly Job[]): Answer[] {
    try {
      return jobs.map((job) => job.run())
    } catch (error) {
      if (jobs.length === 1 || !this.sqlite.inTransaction) throw error
      this.rollback.run()
      this.begin.run()
      return jobs.map((job) => this.runApart(job))
    }
  }

  private runApart({ run, reject }: Job): Answer {
    this.savepoint.run()
    try {
      const answer = run()
      this.release.run()
      return answer
    } catch (error) {
      // A full disk and the like end the whole transaction, and everybody's writes with it.
      if (!this.sqlite.inTransaction) throw error
      this.undo.run()
      this.release.run()
      return () => reject(reasonOf(error))
    }
  }
}

/** How SQLite says that there is no space; a used-up quota is a write that failed. */
const noSpace = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'] as const

const reasonOf = (error: unknown): unknown =>
  noSpace.some((code) => hasCode(error, code)) ? new EmulatorError('disk_full') : error

/** Keeps the event loop from standing still for more than a few milliseconds. */
const transactionLimit = 250

interface Job {
  readonly run: () => Answer
  readonly reject: (error: unknown) => void
  readonly isLast: boolean
}

/** Tells the caller, once the transaction is committed. */
type Answer = () => void
