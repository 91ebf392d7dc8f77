import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject } from '../support/answer.ts'
import { type Answering, answers, type EndpointAnswer } from './answers.ts'
import { nameInWebhook } from './names.ts'

/** Longer than any webhook takes that is on its way at all. */
const deadlineMs = 5_000
/** Enough for another request that left at the same time to be read. */
const turnsBeforeAnswer = 4

/** A client's endpoint has two URLs. */
export type Door = 'a' | 'b'

/** A webhook as it arrived. */
interface Arrival {
  /** Names the event: `C1 r3@+0 COMPLETED`. */
  readonly event: string
  readonly webhookId: string
  readonly text: string
  /** `a` or `b`. */
  readonly door: string
  /** Its place among all that arrived. */
  readonly place: number
}

/** A real HTTP server with one endpoint for each client. */
export class Endpoints {
  /** By client: how its endpoint answers. */
  readonly #answering = new Map<string, Answering>()
  /** By client whose endpoint gives no answers for now: those that wait. */
  readonly #kept = new Map<string, (() => void)[]>()
  readonly #arrivals = new Map<string, Arrival[]>()
  /** First attempts that did not wait for the end of that of an earlier event of their order. */
  readonly overlaps: string[] = []
  /** By order: the event whose first attempt is being answered. */
  readonly #unanswered = new Map<string, string>()
  #arrived = 0
  readonly #server = createServer((request, response) => void this.#take(request, response))
  #origin = ''
  #onArrival: () => void = () => undefined

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.#origin = `http://127.0.0.1:${isObject(address) ? address.port : ''}`
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  urlOf(clientId: string, door: Door): string {
    return `${this.#origin}/${clientId}/${door}`
  }

  answerFromNowOn(clientId: string, answering: Answering): void {
    this.#answering.set(clientId, answering)
  }

  /** Gives the client no answers, until `answer` or `drop`. */
  keepAnswers(clientId: string): void {
    this.#kept.set(clientId, [])
  }

  answer(clientId: string): void {
    const kept = this.#kept.get(clientId) ?? []
    this.#kept.delete(clientId)
    for (const answer of kept) answer()
  }

  /** Forgets the held answers: no test waits for them any more. */
  drop(clientId: string): void {
    this.#kept.delete(clientId)
    this.#unanswered.clear()
  }

  /** The arrivals of one event, oldest first. */
  of(event: string): readonly Arrival[] {
    return this.#arrivals.get(event) ?? []
  }

  /** Forgets what has arrived at a client's endpoint. */
  forget(clientId: string): void {
    const own = [...this.#arrivals.keys()].filter((event) => event.startsWith(`${clientId} `))
    for (const event of own) this.#arrivals.delete(event)
  }

  /** Where in all that has arrived an event came first; -1 if it has not. */
  firstOf(event: string): number {
    return this.of(event)[0]?.place ?? -1
  }

  /** Resolves as soon as `done` holds after an arrival. */
  async until(done: () => boolean, what: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${what} did not arrive`)), deadlineMs)
      this.#onArrival = () => {
        if (!done()) return
        clearTimeout(timer)
        resolve()
      }
      this.#onArrival()
    })
    this.#onArrival = () => undefined
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.setEncoding('utf8')
    let text = ''
    for await (const chunk of request) text += chunk
    const [, clientId = '', door = ''] = request.url?.split('/') ?? []
    const told: { requestId: string; orderId: string; orderStatus: string } = JSON.parse(text)
    const order = nameInWebhook(clientId, told)
    const event = `${order} ${told.orderStatus}`
    const before = this.of(event)
    const webhookId = String(request.headers['webhook-id'])
    this.#arrivals.set(event, [...before, { event, webhookId, text, door, place: this.#arrived++ }])
    if (before.length === 0) this.#begin(order, event)
    const answer = () => {
      this.#unanswered.delete(order)
      respond(answers[this.#answering.get(clientId) ?? 'with 200'](before.length), request, response)
    }
    const kept = this.#kept.get(clientId)
    kept?.push(answer)
    this.#onArrival()
    if (kept !== undefined) return
    // Another first attempt of the same order may be on its way, and then it was sent too early.
    if (before.length === 0) for (let turn = 0; turn < turnsBeforeAnswer; turn++) await nextTurn()
    answer()
  }

  /** CREATED waits for nothing: when it was held and is let go, later events may be under way. */
  #begin(order: string, event: string): void {
    const other = this.#unanswered.get(order)
    if (other !== undefined && !event.endsWith(' CREATED'))
      this.overlaps.push(`${event} came before ${other} was answered`)
    this.#unanswered.set(order, event)
  }
}

function respond(answer: EndpointAnswer, request: IncomingMessage, response: ServerResponse): void {
  const { status, retryAfterSeconds } = answer
  if (status === null) {
    request.socket.resetAndDestroy()
    return
  }
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  response.writeHead(status, headers).end()
}
