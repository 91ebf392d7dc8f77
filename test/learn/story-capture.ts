import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Observed } from '../../src/learn/evidence/build-evidence.ts'
import type { Exchange, Headers } from '../../src/learn/traffic/exchange.ts'
import { type Answer, isObject, type JsonObject } from '../support/answer.ts'
import { type Credentials, type Ledger, TestClient } from '../support/client.ts'
import type { TestEmulator } from '../support/emulator.ts'
import type { HttpRequest } from '../support/http.ts'

/** An application whose calls are captured, with times of its client's clock. It sends people's data. */
export class CapturedClient extends TestClient {
  readonly exchanges: Exchange[]
  readonly #person: JsonObject
  readonly #clock: { now: number }

  constructor(emulator: TestEmulator, credentials: Credentials, person: JsonObject, start: number) {
    const clock = { now: start }
    const exchanges: Exchange[] = []
    const now = async () =>
      Number((await emulator.control(`/clock?clientId=${credentials.clientId}`)).json.now)
    const send = async (path: string, request: HttpRequest): Promise<Answer> => {
      if (!path.startsWith('/v1/')) return emulator.send(path, request)
      const at = clock.now
      const add = async (answer: Answer | null) => {
        exchanges.push(exchangeOf(path, request, { answer, at, ms: (await now()) - at, url: emulator.url }))
      }
      try {
        const answer = await emulator.send(path, request)
        await add(answer)
        return answer
      } catch (error) {
        await add(null)
        throw error
      }
    }
    super({ send, control: emulator.control }, credentials)
    this.exchanges = exchanges
    this.#person = person
    this.#clock = clock
  }

  override checkout(requestId: string, changes: JsonObject = {}): JsonObject {
    return super.checkout(requestId, { ...this.#person, ...changes })
  }

  override async advance(by: string): Promise<Ledger> {
    const ledger = await super.advance(by)
    this.#clock.now = ledger.now
    return ledger
  }

  override subscription(requestId: string, changes: JsonObject = {}): JsonObject {
    const { email, userId } = this.#person
    return TestClient.prototype.checkout.call(this, requestId, {
      fiatAmount: '1.00',
      interval: 'MONTHLY',
      ...{ email, userId },
      ...changes,
    })
  }
}

function exchangeOf(
  path: string,
  { method, headers = {}, body }: HttpRequest,
  { answer, at, ms, url }: { answer: Answer | null; at: number; ms: number; url: string },
): Exchange {
  const place = new URL(path, url)
  return {
    source: { file: 'calls.jsonl', place: `line ${at}` },
    ...{ at, ms, method },
    origin: place.origin,
    path: place.pathname,
    query: place.searchParams,
    headers: textsIn(headers),
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    isExact: true,
    status: answer?.status ?? null,
    responseHeaders: textsIn(answer?.headers ?? {}),
    response: answer?.text ?? null,
    isAnswered: true,
  }
}

const textsIn = (headers: Readonly<Record<string, unknown>>): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name.toLowerCase(), String(value)]],
    ),
  )

/** A number from 0 to below 1 that follows from a text. */
const drawn = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32

/** What a webhook endpoint answered, by path and in the order of arrival. */
export interface Endpoint {
  readonly url: string
  /** The statuses with which the attempts of a webhook were answered. */
  readonly answersTo: (path: string, webhookId: string) => readonly number[]
}

/** A webhook endpoint that fails now and then: the n-th webhook under a path always gets the same answer. */
export async function startEndpoint(): Promise<Endpoint> {
  const counts = new Map<string, number>()
  const given = new Map<string, number[]>()
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const n = (counts.get(path) ?? 0) + 1
    counts.set(path, n)
    const draw = drawn(`${path} ${n}`)
    const status = draw < 0.08 ? 500 : draw < 0.12 ? 404 : draw < 0.16 ? 503 : 200
    const key = `${path} ${request.headers['webhook-id']}`
    request.resume().on('end', () => {
      given.set(key, [...(given.get(key) ?? []), status])
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (!isObject(address)) throw new Error('the endpoint has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    answersTo: (path, webhookId) => given.get(`${path} ${webhookId}`) ?? [],
  }
}

/** A webhook as its receiver saw it. */
export interface Arrival {
  readonly exchange: Exchange
  readonly webhookId: string
}

/** The attempts of a client's webhooks, as its endpoint saw them. */
export async function arrivalsOf(client: TestClient, endpoint: Endpoint, path: string): Promise<Arrival[]> {
  const counts = new Map<string, number>()
  const attempts = (await client.deliveries()).flatMap((delivery) =>
    listOf(delivery.attempts)
      .filter(({ error }) => error !== 'not sent, on purpose')
      .map((attempt) => ({ attempt, delivery, at: Number(attempt.at) })),
  )
  return attempts
    .toSorted((a, b) => a.at - b.at || Number(a.attempt.wallAt) - Number(b.attempt.wallAt))
    .map(({ attempt, delivery, at }): Arrival => {
      const webhookId = String(delivery.webhookId)
      const n = counts.get(webhookId) ?? 0
      counts.set(webhookId, n + 1)
      const url = new URL(String(attempt.url))
      const exchange: Exchange = {
        source: { file: 'webhooks.jsonl', place: `line ${n}` },
        ...{ at, ms: Number(attempt.ms), method: 'POST', origin: url.origin, path: url.pathname },
        query: url.searchParams,
        headers: textsIn(isObject(attempt.requestHeaders) ? attempt.requestHeaders : {}),
        body: String(attempt.bodyText ?? delivery.bodyText),
        isExact: true,
        status: endpoint.answersTo(path, webhookId)[n] ?? null,
        responseHeaders: {},
        response: '',
        isAnswered: true,
      }
      return { exchange, webhookId }
    })
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Everything that an outsider captured of a client. */
export async function capturedBy(
  client: CapturedClient,
  endpoint: Endpoint,
  path: string,
): Promise<Observed[]> {
  const webhooks = await arrivalsOf(client, endpoint, path)
  return [
    ...client.exchanges.map((exchange) => ({ exchange, direction: 'call' as const })),
    ...webhooks.map(({ exchange }) => ({ exchange, direction: 'webhook' as const })),
  ]
}

/** Data of a person that must not show anywhere. */
export const personOf = (index: number): JsonObject => ({
  email: `anna.kowalska${index}@shop-mail.test`,
  firstName: `Annabel${index}`,
  lastName: `Kowalska${index}`,
  phoneNumber: `+4915112${String(index).padStart(6, '0')}`,
  docType: 'CPF',
  docId: `39053344${String(index).padStart(3, '0')}`,
  intlBankAccount: 'DE89370400440532013000',
  userId: `5f0c1d2e-3a4b-4c5d-8e6f-${String(index).padStart(12, '7')}`,
  billingData: { street: `Lindenallee ${index}`, city: 'Oberammergau', country: 'DE', postalCode: '82487' },
})
