import { appendFileSync } from 'node:fs'
import type { Decision } from '../domain/order/decision.ts'
import type { Behaviour } from '../domain/sweep/behaviour.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { AttemptResult, NewDelivery } from '../domain/webhook/delivery.ts'
import { wallNow } from '../time/wall.ts'
import type { FeedEvent } from './feed.ts'

/** A line of the record that an emulator writes for a sweep: an event with its wall-clock time and the emulator's
 *  ids. */
export type SweepLine = SweepEvent & { readonly at: EpochMs }

type SweepEvent =
  /** A record that a behaviour of the sweep was applied. */
  | {
      readonly struck: string
      readonly clientId: string | null
      readonly requestId: string | null
    }
  /** A record that a webhook is delayed on purpose, or lost. */
  | { readonly kept: string; readonly by: readonly string[]; readonly requestId: string }
  /** A record that a delayed webhook was accepted. */
  | { readonly came: string }
  /** A record that an attempt of a webhook has ended. */
  | {
      readonly webhook: string
      readonly requestId: string
      readonly outcome: string
      /** The duration of the attempt in milliseconds. */
      readonly ms: number
    }
  | {
      readonly order: string
      readonly clientId: string
      /** The time at which the order was created, on the client's clock. */
      readonly createdAt: EpochMs
    }
  /** The test suite connected to an emulator elsewhere, which writes its own record. */
  | { readonly connected: string; readonly controlToken: string | null }
  /** A call of the service with the status of its answer; 0 without an answer. */
  | {
      readonly call: string | null
      readonly requestId: string | null
      readonly status: number
    }

/** Maximum number of lines in memory, for an emulator whose record a sweep reads over the control API. */
const mostLines = 200_000

/** Records the events of an emulator under a sweep, line by line. Each line is written to the file immediately,
 *  because a test runner may kill the process. */
export class SweepRecord {
  readonly #onError: (error: unknown) => void
  readonly #kept = new Set<string>()
  /** The names of behaviours that delay webhooks. */
  #keepers: ReadonlySet<string> = new Set()
  #file: string | null = null
  #lines: SweepLine[] | null = null

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Starts a new record, in a file that several processes may share, or in memory. */
  begin(behaviours: readonly Behaviour[], file: string | null): void {
    this.#keepers = new Set(
      behaviours.filter(({ keepsBack }) => keepsBack === 'webhooks').map(({ name }) => name),
    )
    this.#kept.clear()
    this.#file = file
    this.#lines = file === null ? [] : null
  }

  end(): void {
    this.#file = null
    this.#lines = null
  }

  get isOn(): boolean {
    return this.#file !== null || this.#lines !== null
  }

  get lines(): readonly SweepLine[] {
    return this.#lines ?? []
  }

  struck({ behaviour, ...where }: { behaviour: string; clientId: string | null; requestId: string | null }) {
    this.#write({ struck: behaviour, ...where })
  }

  readonly listen = (event: FeedEvent): void => {
    if (!this.isOn) return
    if (event.type === 'order') this.#order(event.decision)
    else if (event.type === 'attempt') this.#attempted(event.delivery, event.result)
    else if (event.type === 'request') {
      const { operation, requestId, status } = event.entry
      this.#write({ call: operation, requestId, status })
    }
  }

  #order({ order, events }: Decision): void {
    const { requestId, clientId, orderId } = order
    if (order.version === 1) this.#write({ order: requestId, clientId, createdAt: order.createdAt })
    for (const event of events) {
      const by = (event.plan?.by ?? []).filter((name) => this.#keepers.has(name))
      if (event.status === 'pending' && by.length > 0) this.#keep(event.id, by, requestId)
    }
    const turn = `turn of ${orderId}`
    const waits = (order.terms.turns?.waiting.length ?? 0) > 0
    if (waits) this.#keep(turn, [], requestId)
    else this.#came(turn)
  }

  #attempted({ id, requestId }: NewDelivery, { outcome, ms }: AttemptResult): void {
    this.#write({ webhook: id, requestId, outcome, ms })
    if (outcome === 'accepted') this.#came(id)
  }

  #keep(id: string, by: readonly string[], requestId: string): void {
    if (this.#kept.has(id)) return
    this.#kept.add(id)
    this.#write({ kept: id, by, requestId })
  }

  #came(id: string): void {
    if (this.#kept.delete(id)) this.#write({ came: id })
  }

  #write(event: SweepEvent): void {
    if (!this.isOn) return
    const line = { ...event, at: wallNow() }
    if (this.#lines !== null && this.#lines.length < mostLines) this.#lines.push(line)
    if (this.#file === null) return
    try {
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
    } catch (error) {
      this.#onError(error)
    }
  }
}
