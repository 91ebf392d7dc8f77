import { EmulatorUnreachable } from './errors.ts'
import type { Transport } from './transport.ts'

/** Stands before the ways to an emulator, and lets nothing through once the emulator has been closed. */
export class Gate {
  #closed = false

  close(): void {
    this.#closed = true
  }

  /** The same way, behind the gate. @throws EmulatorUnreachable after the end */
  before(transport: Transport): Transport {
    return {
      send: async (request) => {
        if (this.#closed) {
          const call = `${request.method} ${request.path.replace(/\?.*/, '')}`
          throw new EmulatorUnreachable(`${call} after emulator.close(): is something not awaited?`)
        }
        return await transport.send(request)
      },
    }
  }
}
