import type { ControlApi } from './control-api.ts'
import type { Clock, ClockPace, DueClock, Ledger } from './shapes.ts'

/** How long an advance may take on the wall. */
export interface WalkOptions {
  /** Milliseconds; 60,000 if left out. Then it is refused (504), and time stays where it got to. */
  readonly timeoutMs?: number | undefined
}

/** A ledger of one client. */
export interface ClientLedger extends Ledger {
  /** Where its clock stood, epoch milliseconds. */
  from: number
  /** Where it stands. */
  now: number
}

const usualTimeoutMs = 60_000
/** The emulator is the one to say that time is up. */
const graceMs = 10_000

/** The clock of one client, or of all of them. Moving it answers a ledger of all that happened, once all of it has
 *  ended: steps of scenarios, charges, retries, and the webhooks' deliveries. */
export class TestClock<Walked extends Ledger = Ledger, Reading extends Clock = Clock> {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Moves time on by a duration: `10m`, `36h`, or ISO 8601 (`P1M`, by the calendar).
   *  @throws ControlCallRefused (400 for no duration, 504 when time is up) */
  advance(by: string, options: WalkOptions = {}): Promise<Walked> {
    return this.#walk('/clock/advance', { by }, options)
  }

  /** Moves time on to a moment: a Date, ISO 8601 or epoch milliseconds.
   *  @throws ControlCallRefused (409 for a moment in the past) */
  advanceTo(moment: Date | string | number, options: WalkOptions = {}): Promise<Walked> {
    return this.#walk(
      '/clock/advance',
      { to: typeof moment === 'object' ? moment.getTime() : moment },
      options,
    )
  }

  /** Moves time on to the next due thing, and no further. */
  advanceToNext(options: WalkOptions = {}): Promise<Walked> {
    return this.#walk('/clock/advance-to-next', {}, options)
  }

  /** Moves time on until nothing is due any more.
   *  @param options `limit`: to so many due moments at most; without it, things that are due for ever (the charges of
   *    a subscription that nobody cancels) are refused after 10,000 */
  runUntilIdle({
    limit,
    ...options
  }: WalkOptions & { readonly limit?: number | undefined } = {}): Promise<Walked> {
    return this.#walk('/clock/run-until-idle', limit === undefined ? {} : { limit }, options)
  }

  /** Waits until everything that is due now has ended; time does not move. What has not arrived by then does not come
   *  before time moves. */
  settle(options: WalkOptions = {}): Promise<Walked> {
    return this.advance('0s', options)
  }

  /** What it reads, epoch milliseconds. Of all clients: what a new client's clock would read. */
  async now(): Promise<number> {
    return (await this.read()).now
  }

  /** How it goes and what it reads. */
  read(): Promise<Reading> {
    return this.#control.call('GET', '/clock')
  }

  /** What is due next: one line for each client, so a client's has one. What waits for the payer or for a lookup is not
   *  due by itself. */
  due(): Promise<DueClock[]> {
    return this.#control.list('/clocks')
  }

  /** Lets it go, stops it, or sets it to a later moment, to which it walks like an advance: `{mode: 'real', speed: 60}`,
   *  `{mode: 'manual'}`, `{now: '2026-04-21T16:00:00Z'}`. */
  set(pace: ClockPace): Promise<Reading> {
    return this.#control.call('PUT', '/clock', { body: pace, withinMs: usualTimeoutMs + graceMs })
  }

  #walk(path: string, target: object, { timeoutMs = usualTimeoutMs }: WalkOptions): Promise<Walked> {
    const body = { ...target, timeoutMs }
    return this.#control.call('POST', path, { body, withinMs: timeoutMs + graceMs })
  }
}
