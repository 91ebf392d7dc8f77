import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../tools/free-port.ts'
import { type Bench, programFile } from '../frame/bench.ts'
import { ask } from '../frame/processes.ts'

/** Webhooks to report once they have all arrived, and the status that they are answered with. */
export interface Expected {
  readonly count: number
  readonly status: number
}

/** Webhooks in the order in which they arrived: their ids, and when, in epoch milliseconds with fractions. */
export interface Arrivals {
  readonly ids: readonly string[]
  readonly moments: readonly number[]
}

/** A receiver of webhooks in its own process, on the cores of the load. */
export class Receiver {
  readonly origin: string
  readonly url: string
  readonly #child: ChildProcess

  static async start({ processes }: Bench): Promise<Receiver> {
    const port = await freePort()
    const child = processes.start([process.execPath, programFile('receiver'), String(port)], 'load')
    await once(child, 'message')
    return new Receiver(child, port)
  }

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.origin = `http://127.0.0.1:${port}`
    this.url = `${this.origin}/webhook`
  }

  /** Counts from zero, so call it before whatever sends the webhooks. @returns the arrivals, once there are so many */
  expect(count: number, status = 200): Promise<Arrivals> {
    const expected: Expected = { count, status }
    return ask<Arrivals>(this.#child, expected)
  }
}
