import { EmulatorUnreachable } from './errors.ts'
import type { Sent, Transport } from './transport.ts'

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
        this.#pass(request)
        return await transport.send(request)
      },
      open: async (request) => {
        this.#pass(request)
        const reply = await transport.open(request)
        return { ...reply, texts: this.#untilClosed(reply.texts) }
      },
    }
  }

  /** What is being read when the emulator is closed ends there. */
  async *#untilClosed(texts: AsyncIterable<string>): AsyncGenerator<string> {
    try {
      yield* texts
    } catch (error) {
      if (!this.#closed) throw error
    }
  }

  #pass({ method, path }: Sent): void {
    if (!this.#closed) return
    const call = `${method} ${path.replace(/\?.*/, '')}`
    throw new EmulatorUnreachable(`${call} was called after emulator.close(): is an \`await\` missing?`)
  }
}
