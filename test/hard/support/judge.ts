import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** A webhook as it arrived. */
export interface Arrival {
  /** Its `webhook-id`. */
  readonly id: string
  readonly body: string
  readonly requestId: string
  readonly orderId: string
  readonly orderStatus: string
  /** Milliseconds on the test's monotonic clock. */
  readonly at: number
  /** The status of the answer; null without one. */
  readonly answered: number | null
}

/** How one arrival is treated: the status of its answer, at once or later, or nothing for ever. */
export type Treatment = number | { readonly status: number; readonly afterMs: number } | 'hang'

/** A real receiver whose own log judges what was promised. */
export interface Judge {
  readonly url: string
  readonly arrivals: readonly Arrival[]
  /** `<requestId> <orderStatus>` of all that was answered with a 2xx. */
  readonly accepted: ReadonlySet<string>
  /** Resolves as soon as `done` holds after an arrival or an answer. */
  until(done: () => boolean): Promise<void>
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** @param treat decides about each arrival; 200 if not given. Called before the answer */
export async function startJudge(
  treat: (arrival: Omit<Arrival, 'answered'>) => Treatment = () => 200,
): Promise<Judge> {
  const arrivals: Arrival[] = []
  const accepted = new Set<string>()
  let onArrival = () => {}
  const take = (request: IncomingMessage, response: ServerResponse, text: string) => {
    const { requestId, orderId, orderStatus } = JSON.parse(text)
    const arrived = {
      id: String(request.headers['webhook-id']),
      body: text,
      requestId,
      orderId,
      orderStatus,
      at: performance.now(),
    }
    const arrival: Writable<Arrival> = { ...arrived, answered: null }
    arrivals.push(arrival)
    const answer = (status: number) => {
      // The client has gone.
      if (response.destroyed) return
      response.writeHead(status).end()
      arrival.answered = status
      if (status < 300) accepted.add(`${requestId} ${orderStatus}`)
      onArrival()
    }
    const treatment = treat(arrived)
    if (typeof treatment === 'number') answer(treatment)
    else if (treatment === 'hang') onArrival()
    else setTimeout(answer, treatment.afterMs, treatment.status)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => take(request, response, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  const until = (done: () => boolean) =>
    new Promise<void>((resolve) => {
      onArrival = () => done() && resolve()
      onArrival()
    })
  return { arrivals, accepted, url, until }
}

/** The verdict of a judge's log about the acknowledged orders. */
export interface Verdict {
  /** Orders of which an event was never answered with a 2xx. */
  readonly lost: readonly string[]
  /** Orders whose COMPLETED or FAILED arrived for the first time before their CREATED did. */
  readonly inverted: readonly string[]
  /** Arrivals of what had been answered with a 2xx before. */
  readonly repeatedAfterAccepted: number
  /** `webhook-id`s that came with different bytes, and events that came under different ids. */
  readonly unequal: readonly string[]
  /** Arrivals by what they were answered. */
  readonly outcomes: Readonly<Record<string, number>>
}

/** @param orders those that are judged: requestIds, or orderIds where several orders share one
 *  @param by which of the two */
export function judged(
  orders: readonly string[],
  { arrivals }: Judge,
  by: 'requestId' | 'orderId' = 'requestId',
): Verdict {
  const first = new Map<string, number>()
  const bodies = new Map<string, string>()
  const ids = new Map<string, string>()
  const acceptedIds = new Set<string>()
  const accepted = new Set<string>()
  const unequal = new Set<string>()
  const outcomes: Record<string, number> = {}
  let repeatedAfterAccepted = 0
  for (const [index, arrival] of arrivals.entries()) {
    const { id, body, answered } = arrival
    const event = eventOf(arrival[by], arrival.orderStatus)
    if (!first.has(event)) first.set(event, index)
    if ((bodies.get(id) ?? body) !== body) unequal.add(id)
    if ((ids.get(event) ?? id) !== id) unequal.add(event)
    bodies.set(id, body)
    ids.set(event, id)
    if (acceptedIds.has(id)) repeatedAfterAccepted += 1
    if (answered !== null && answered >= 200 && answered < 300) {
      acceptedIds.add(id)
      accepted.add(event)
    }
    const outcome = answered === null ? 'left unanswered' : `answered ${answered}`
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  const lost = orders.filter((id) => !accepted.has(eventOf(id, 'CREATED')) || !accepted.has(eventOf(id)))
  const inverted = orders.filter(
    (id) => (first.get(eventOf(id, 'CREATED')) ?? Infinity) > (first.get(eventOf(id)) ?? Infinity),
  )
  return { lost, inverted, repeatedAfterAccepted, unequal: [...unequal], outcomes }
}

/** An order has two events: that of its beginning, and that of its end. */
const eventOf = (id: string, orderStatus = 'COMPLETED'): string =>
  `${id} ${orderStatus === 'CREATED' ? 'begins' : 'ends'}`
