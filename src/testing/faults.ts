import type { ControlApi } from './control-api.ts'
import type { Fault, FaultRequest } from './shapes.ts'

/** Planned misbehaviour of the API and of deliveries. Each fault has a count or an end: once, if nothing is said. */
export class Faults {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Plans a fault: `{on: 'create-order', effect: {status: 503}}`, `{on: 'delivery', effect: {duplicate: 1}}`.
   *  @throws ControlCallRefused if it makes no sense */
  plan(fault: FaultRequest): Promise<Fault> {
    return this.#control.call('POST', '/faults', { body: fault })
  }

  /** All planned faults, with how often each was met. */
  list(): Promise<Fault[]> {
    return this.#control.list('/faults')
  }

  /** A fault as it is now: `hits` says how often it was met.
   *  @throws ControlCallRefused (404) */
  get(id: string): Promise<Fault> {
    return this.#control.call('GET', `/faults/${encodeURIComponent(id)}`)
  }

  /** Takes a fault back. @returns it as it was */
  remove(id: string): Promise<Fault> {
    return this.#control.call('DELETE', `/faults/${encodeURIComponent(id)}`)
  }

  /** Takes all faults back. */
  async clear(): Promise<void> {
    await this.#control.call('DELETE', '/faults')
  }
}
