import type { FaultRequest, TestClient } from '../../index.ts'

/** The faults that a case has planned and not taken back yet. */
export class PlannedFaults {
  readonly #client: TestClient
  readonly #planned = new Set<string>()

  constructor(client: TestClient) {
    this.#client = client
  }

  /** Plans a fault; it is taken back at the end of the case. @returns its id */
  async plan(fault: FaultRequest): Promise<string> {
    const { id } = await this.#client.faults.plan(fault)
    this.#planned.add(id)
    return id
  }

  /** Takes a fault back before the end of the case. */
  async takeBack(id: string): Promise<void> {
    this.#planned.delete(id)
    await this.#client.faults.remove(id)
  }

  /** What takes back those that are left, one each. */
  get undoing(): (() => Promise<unknown>)[] {
    return [...this.#planned].map((id) => () => this.takeBack(id))
  }
}
