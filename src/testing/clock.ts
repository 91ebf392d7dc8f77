import type { ControlApi } from './control-api.ts'
import type { Clock, ClockPace, DueClock, Ledger } from './shapes.ts'

/** Options of calls that move time. */
export interface WalkOptions {
  /** The limit in milliseconds of wall-clock time. When it is reached, the call is refused (504) and the clock stays
   *  where it got to. Default: 60,000. */
  readonly timeoutMs?: number | undefined
}

/** The ledger of one client: everything that happened during an advance. */
export interface ClientLedger extends Ledger {
  /** The client's time before the advance, epoch milliseconds. */
  from: number
  /** The client's time after the advance, epoch milliseconds. */
  now: number
}

const usualTimeoutMs = 60_000
/** Extra time for the answer, so that the emulator reports its own timeout first. */
const graceMs = 10_000

/** The clock of a client, or the clocks of all clients. A call that moves time returns when everything that became
 *  due has finished, deliveries included. The call returns a ledger of what happened. */
export class TestClock<Walked extends Ledger = Ledger, Reading extends Clock = Clock> {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Moves time forward by a duration: `10m`, `36h`, or ISO 8601 (`P1M` is a calendar month).
   *  @throws ControlCallRefused (400) for an invalid duration, (504) after the timeout */
  advance(by: string, options: WalkOptions = {}): Promise<Walked> {
    return this.#walk('/clock/advance', { by }, options)
  }

  /** Moves time forward to a Date, an ISO 8601 time or epoch milliseconds.
   *  @throws ControlCallRefused (409) for a time in the past */
  advanceTo(moment: Date | string | number, options: WalkOptions = {}): Promise<Walked> {
    return this.#walk(
      '/clock/advance',
      { to: typeof moment === 'object' ? moment.getTime() : moment },
      options,
    )
  }

  /** Moves time forward to the next step that is due, and no further. */
  advanceToNext(options: WalkOptions = {}): Promise<Walked> {
    return this.#walk('/clock/advance-to-next', {}, options)
  }

  /** Moves time forward until nothing is due.
   *  @param options `limit`: the maximum number of due times. Default: 10,000. Above that the call is refused, for
   *    example if a subscription is never cancelled. */
  runUntilIdle({
    limit,
    ...options
  }: WalkOptions & { readonly limit?: number | undefined } = {}): Promise<Walked> {
    return this.#walk('/clock/run-until-idle', limit === undefined ? {} : { limit }, options)
  }

  /** Waits until everything that is due now has finished. Time does not move. On a manual clock, nothing more arrives
   *  until time moves. */
  settle(options: WalkOptions = {}): Promise<Walked> {
    return this.advance('0s', options)
  }

  /** Returns the clock's time in epoch milliseconds. For an emulator: the time at which a new client's clock would
   *  start. */
  async now(): Promise<number> {
    return (await this.read()).now
  }

  /** Returns the mode, speed and time of the clock. */
  read(): Promise<Reading> {
    return this.#control.call('GET', '/clock')
  }

  /** Lists the next due event of each client. Steps that wait for the payer or for a lookup are not due. */
  due(): Promise<DueClock[]> {
    return this.#control.list('/clocks')
  }

  /** Starts, stops or sets the clock: `{ mode: 'real', speed: 60 }`, `{ mode: 'manual' }`, `{ now:
   *  '2026-04-21T16:00:00Z' }`. Setting a later time works like an advance.
   *  @throws ControlCallRefused (409) for a time in the past */
  set(pace: ClockPace): Promise<Reading> {
    return this.#control.call('PUT', '/clock', { body: pace, withinMs: usualTimeoutMs + graceMs })
  }

  #walk(path: string, target: object, { timeoutMs = usualTimeoutMs }: WalkOptions): Promise<Walked> {
    const body = { ...target, timeoutMs }
    return this.#control.call('POST', path, { body, withinMs: timeoutMs + graceMs })
  }
}
