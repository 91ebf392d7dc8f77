import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { isObject, type JsonObject } from './answer.ts'

const deadlineMs = 5_000

/** A request as it arrived. */
export interface Received {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body as a JSON object; throws if it is none. */
  readonly json: JsonObject
}

/** How a request is answered: with a status (200 unless said otherwise), headers and a body, if wanted only once
 *  `after` has resolved; never (`hang`); or with a TCP reset. */
export type Behaviour =
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly after?: Promise<unknown>
    }
  | 'hang'
  | 'reset'

interface Waiter {
  readonly count: number
  readonly resolve: (requests: readonly Received[]) => void
}

/** A webhook endpoint under a test's control: a real HTTP server that remembers what it got. */
export class Receiver {
  /** Everything that arrived, in order. */
  readonly requests: Received[] = []
  readonly #server = createServer((request, response) => this.#take(request, response))
  readonly #waiters = new Set<Waiter>()
  #behaviours: Behaviour[] = [{}]
  #origin = ''

  /** Where webhooks are to be sent. */
  get url(): string {
    return `${this.#origin}/hook`
  }

  /** The coming requests are answered like this, one after the other; the last behaviour stays. */
  answerWith(...behaviours: readonly [Behaviour, ...Behaviour[]]): void {
    this.#behaviours = [...behaviours]
  }

  /** All requests, as soon as there are `count` of them. Rejects, and says what did arrive, at a deadline. */
  received(count: number): Promise<readonly Received[]> {
    if (this.requests.length >= count) return Promise.resolve(this.requests)
    return new Promise((resolve, reject) => {
      const give = () => reject(new Error(`${deadlineMs} ms were not enough: ${this.#summary(count)}`))
      const timer = setTimeout(give, deadlineMs)
      const waiter = {
        count,
        resolve: (requests: readonly Received[]) => {
          clearTimeout(timer)
          this.#waiters.delete(waiter)
          resolve(requests)
        },
      }
      this.#waiters.add(waiter)
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (!isObject(address)) throw new Error('the receiver has no port')
    this.#origin = `http://127.0.0.1:${address.port}`
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      this.requests.push(receivedOf(request, Buffer.concat(chunks)))
      const [behaviour = {}, ...rest] = this.#behaviours
      if (rest.length > 0) this.#behaviours = rest
      void behave(behaviour, request, response)
      for (const waiter of this.#waiters) {
        if (this.requests.length >= waiter.count) waiter.resolve(this.requests)
      }
    })
  }

  #summary(count: number): string {
    const lines = this.requests.map(({ method, path, text }) => `${method} ${path} ${text}`)
    return [`expected ${count} requests, got ${lines.length}`, ...lines].join('\n  ')
  }
}

/** A receiver on a free port; it closes itself when the test ends. */
export async function startReceiver(): Promise<Receiver> {
  const receiver = new Receiver()
  await receiver.listen()
  onTestFinished(() => receiver.close())
  return receiver
}

function receivedOf(request: IncomingMessage, bytes: Buffer): Received {
  const text = bytes.toString('utf8')
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    bytes,
    text,
    get json() {
      const value: unknown = JSON.parse(text)
      if (!isObject(value)) throw new Error(`expected a JSON object, got ${text}`)
      return value
    },
  }
}

async function behave(
  behaviour: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (behaviour === 'hang') return
  if (behaviour === 'reset') {
    request.socket.resetAndDestroy()
    return
  }
  await behaviour.after
  response.writeHead(behaviour.status ?? 200, behaviour.headers).end(behaviour.body ?? '')
}
