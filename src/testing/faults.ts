import type { ControlApi } from './control-api.ts'
import type { Fault, FaultRequest } from './shapes.ts'

/** Planned faults of the API and of deliveries. A fault applies once unless it says otherwise. */
export class Faults {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Plans a fault: `{ on: 'create-order', effect: { status: 503 } }`, `{ on: 'delivery', effect: { duplicate: 1 } }`.
   *  @throws ControlCallRefused for an invalid fault */
  plan(fault: FaultRequest): Promise<Fault> {
    return this.#control.call('POST', '/faults', { body: fault })
  }

  /** Lists all planned faults. */
  list(): Promise<Fault[]> {
    return this.#control.list('/faults')
  }

  /** Returns a fault. `hits` counts how often it was applied.
   *  @throws ControlCallRefused (404) if there is none */
  get(id: string): Promise<Fault> {
    return this.#control.call('GET', `/faults/${encodeURIComponent(id)}`)
  }

  /** Removes a fault.
   *  @returns the fault */
  remove(id: string): Promise<Fault> {
    return this.#control.call('DELETE', `/faults/${encodeURIComponent(id)}`)
  }

  /** Removes all faults. */
  async clear(): Promise<void> {
    await this.#control.call('DELETE', '/faults')
  }
}
