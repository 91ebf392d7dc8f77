import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Bench } from '../frame/bench.ts'

/** What the receiver is to do from now on: what it answers, and after how many webhooks it tells of them. */
export interface ToReceiver {
  readonly answer: number
  readonly wanted: number
}

/** Webhooks as they came: their `webhook-id`s, and when, in milliseconds since the epoch, with fractions. */
export interface Arrivals {
  readonly ids: readonly string[]
  readonly moments: Float64Array
}

export type FromReceiver = { readonly port: number } | Arrivals

/** A receiver of webhooks in a process of its own, on the cores of the load. */
export class Receiver {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.url = `http://127.0.0.1:${port}`
  }

  static async start({ processes }: Bench): Promise<Receiver> {
    const file = new URL('../servers/webhook-receiver.ts', import.meta.url).pathname
    const child = processes.start([process.execPath, file], 'load')
    const [told]: FromReceiver[] = await once(child, 'message')
    if (told === undefined || !('port' in told)) throw new Error('the receiver told no port')
    return new Receiver(child, told.port)
  }

  /** Counts from zero. @returns the arrivals, once there are as many as wanted */
  async expect(wanted: number, answer = 200): Promise<Arrivals> {
    const message: ToReceiver = { answer, wanted }
    this.#child.send(message)
    const [told]: FromReceiver[] = await once(this.#child, 'message')
    if (told === undefined || !('moments' in told)) throw new Error('the receiver told no arrivals')
    return told
  }
}
